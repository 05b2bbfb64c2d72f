//! Enumerations whose numbers come from a file format.

/// Defines an enumeration with its numbers, and the conversion from a number.
macro_rules! enumeration {
    ($(#[$meta:meta])* $name:ident from $int:ty { $($variant:ident = $number:literal,)* }) => {
        $(#[$meta])*
        #[repr(u8)]
        pub enum $name { $($variant = $number),* }

        impl $name {
            /// Returns the value with that number; `None` for an unknown number.
            pub fn from_number(number: $int) -> Option<Self> {
                Some(match number {
                    $($number => $name::$variant,)*
                    _ => return None,
                })
            }
        }
    };
}
pub(crate) use enumeration;
