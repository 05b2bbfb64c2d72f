//! A picture: reading a PNG or JPEG file returns, and the picture is as large as it says.

#![no_main]

dxil_fuzz::fuzz!("picture");
