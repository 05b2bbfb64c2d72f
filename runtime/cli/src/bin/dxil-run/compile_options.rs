//! What the command line says of all programs alike.

use dxil_runtime::Profile;
use dxil_runtime::program::CompileOptions;
use dxil_runtime::root_signature::RootDescriptors;

use crate::args::Args;
use crate::source;

/// Returns the options of the command line for programs of a device.
pub(crate) fn compile_options(args: &Args, profile: &Profile) -> CompileOptions {
    let mut options = CompileOptions::default();
    options.preview = args.preview;
    options.watched = args.is_watched();
    options.source = source::kept_for(args, profile);
    options.native_min_precision = args.native_min_precision;
    options.root_descriptors = if args.root_addresses {
        RootDescriptors::Addresses
    } else {
        RootDescriptors::Bindings
    };
    options
}
