use dxil_translate::*;
fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let out = args.remove(0);
    let mut options = Options::default();
    options.target.features = Features::all();
    while args[0].starts_with("--") {
        match args.remove(0).as_str() {
            "--v11" => options.target.vulkan = VulkanVersion::V1_1,
            "--portable" => options.target.style = Style::Portable,
            "--heap" => {
                options.bindings.resource_heap = Some(DescriptorSlot { set: 7, binding: 0 });
                options.bindings.sampler_heap = Some(DescriptorSlot { set: 7, binding: 1 });
            }
            "--check" => {
                options.bounds_checks = true;
                options.target.features -= Features::ROBUSTNESS2;
            }
            "--no16" => {
                options.target.features -= Features::STORAGE_16BIT;
            }
            "--bare" => {
                options.target.features = Features::empty();
            }
            "--nosparse" => {
                options.target.features -= Features::SPARSE_RESIDENCY | Features::MAINTENANCE8;
            }
            _ => {}
        }
    }
    let mut ok = 0;
    for f in &args {
        let bytes = std::fs::read(f).unwrap();
        match translate_bytes(&bytes, &options) {
            Ok(t) => {
                ok += 1;
                let name = f.replace('/', "_").replace(".dxil", ".spv");
                let b: Vec<u8> = t.words.iter().flat_map(|w| w.to_le_bytes()).collect();
                std::fs::write(format!("{out}/{name}"), b).unwrap();
                if args.len() == 1 {
                    for b in &t.interface.bindings {
                        println!("{b:?}");
                    }
                    println!("push {}", t.interface.push_constant_bytes);
                }
            }
            Err(e) => println!("{f}: {:?}: {e}", e.category()),
        }
    }
    println!("{ok} of {}", args.len());
}
