//! Four-character codes: the names of DXContainer parts ("DirectX Container", section "Part
//! headers").

use std::fmt;

/// A part name, four bytes, usually ASCII.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FourCc(pub [u8; 4]);

macro_rules! part_names {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        #[allow(missing_docs, reason = "the names are the documentation")]
        impl FourCc {
            $($(#[$doc])* pub const $name: FourCc = FourCc(*$text);)*

            /// All part names of the DXContainer document and of DXC.
            pub const KNOWN: &'static [FourCc] = &[$(FourCc::$name),*];
        }
    };
}

part_names! {
    DXBC = b"DXBC";
    DXIL = b"DXIL";
    ILDB = b"ILDB";
    ILDN = b"ILDN";
    HASH = b"HASH";
    ISG1 = b"ISG1";
    OSG1 = b"OSG1";
    PSG1 = b"PSG1";
    ISGN = b"ISGN";
    OSGN = b"OSGN";
    OSG5 = b"OSG5";
    PCSG = b"PCSG";
    PSV0 = b"PSV0";
    RTS0 = b"RTS0";
    SFI0 = b"SFI0";
    RDAT = b"RDAT";
    STAT = b"STAT";
    VERS = b"VERS";
    PDBI = b"PDBI";
    SRCI = b"SRCI";
    PRIV = b"PRIV";
    SHDR = b"SHDR";
    SHEX = b"SHEX";
    RDEF = b"RDEF";
    IFCE = b"IFCE";
    LIBF = b"LIBF";
    LIBH = b"LIBH";
    LFS0 = b"LFS0";
    SDBG = b"SDBG";
    SPDB = b"SPDB";
    SDGB = b"SDGB";
    AON9 = b"Aon9";
    XNAP = b"XNAP";
    XNAS = b"XNAS";
}

impl fmt::Display for FourCc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0 {
            // Names come from the file and appear in messages, where control characters must not.
            if byte.is_ascii_graphic() {
                write!(f, "{}", char::from(byte))?;
            } else {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for FourCc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FourCc({self})")
    }
}
