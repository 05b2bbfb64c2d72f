//! Makes a C program that misuses every function of the header.

use std::fmt::Write;

use super::header;

/// A function of the header.
struct Function {
    result: String,
    name: String,
    /// Types and names.
    parameters: Vec<(String, String)>,
}

fn functions(header: &str) -> Vec<Function> {
    let mut found = Vec::new();
    for declaration in header.split("\nDXIL_SPV_PUBLIC_API ").skip(1) {
        let declaration = declaration.split(';').next().unwrap();
        let (front, rest) = declaration.split_once('(').unwrap();
        let at = front.rfind([' ', '*']).unwrap() + 1;
        let parameters = rest.trim_end().trim_end_matches(')').split(',');
        found.push(Function {
            result: front[..at].trim().to_owned(),
            name: front[at..].to_owned(),
            parameters: parameters
                .map(str::trim)
                .filter(|&text| text != "void")
                .map(|text| {
                    let at = text.rfind([' ', '*']).unwrap() + 1;
                    (text[..at].trim().to_owned(), text[at..].to_owned())
                })
                .collect(),
        });
    }
    found
}

/// Returns whether a parameter can be null, or a handle that is none.
fn is_pointer(ty: &str) -> bool {
    ty.ends_with('*') || ty.ends_with("_cb") || is_handle(ty)
}

fn is_handle(ty: &str) -> bool {
    ty == "dxil_spv_parsed_blob" || ty == "dxil_spv_converter"
}

/// Returns whether null has a meaning for the parameter: no callback, no user data, no reflection,
/// the first entry point.
fn may_be_null(function: &str, ty: &str, name: &str) -> bool {
    ty.ends_with("_cb")
        || name == "userdata"
        || name == "reflection_blob"
        || (function == "dxil_spv_parsed_blob_get_shader_stage_for_entry" && name == "entry")
}

/// Returns a valid argument for a parameter.
fn good(function: &str, ty: &str, name: &str) -> String {
    match (ty, name) {
        ("const void *", _) if function == "dxil_spv_parse_dxil" => "bitcode".into(),
        ("size_t", _) if function == "dxil_spv_parse_dxil" => "bitcode_size".into(),
        ("const void *", _) => "shader".into(),
        ("size_t", _) => "shader_size".into(),
        ("const char *", _) => "\"main\"".into(),
        ("dxil_spv_parsed_blob", _) => "blob".into(),
        ("dxil_spv_converter", _) => "converter".into(),
        ("void *", "userdata") => "NULL".into(),
        ("const dxil_spv_option_base *", _) => "&option.base".into(),
        // A place for a result.
        (ty, _) if ty.ends_with('*') => format!("({ty})&room"),
        (ty, _) if ty.ends_with("_cb") => "NULL".into(),
        // Numbers: 0 is the first of each.
        (ty, _) => format!("({ty})0"),
    }
}

const BEGINNING: &str = r#"#include "dxil_spirv_c.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static union { void *align; unsigned long long words[64]; } room;
static unsigned char shader[1 << 16];
static size_t shader_size, bitcode_size;
static const void *bitcode;
static unsigned wrong;

static void expect(int right, const char *what)
{
    if (!right) {
        fprintf(stderr, "not so: %s\n", what);
        wrong++;
    }
}

static dxil_spv_bool no_uav(void *u, const dxil_spv_uav_d3d_binding *d, dxil_spv_uav_vulkan_binding *v)
{
    (void)u; (void)d;
    memset(v, 0, sizeof(*v));
    v->buffer_binding.descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO;
    v->counter_binding.descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO;
    return DXIL_SPV_TRUE;
}

static void all(int run)
{
    dxil_spv_option_shader_demote_to_helper option = { { DXIL_SPV_OPTION_SHADER_DEMOTE_TO_HELPER }, 1 };
    dxil_spv_parsed_blob blob = NULL;
    dxil_spv_converter converter = NULL;
    void *no_handle = &room;
    dxil_spv_parsed_blob freed_blob = NULL;
    dxil_spv_converter freed_converter = NULL;
#define FRESH                                                                       \
    do {                                                                            \
        memset(&room, 0, sizeof(room));                                             \
        /* For what a call makes that should not have. */                           \
        dxil_spv_begin_thread_allocator_context();                                  \
        expect(dxil_spv_parse_dxil_blob(shader, shader_size, &blob) == 0, "parse"); \
        expect(dxil_spv_create_converter(blob, &converter) == 0, "create");         \
        dxil_spv_converter_set_uav_remapper(converter, no_uav, NULL);               \
        if (run)                                                                    \
            expect(dxil_spv_converter_run(converter) == 0, "run");                  \
        dxil_spv_parsed_blob_get_raw_ir(blob, &bitcode, &bitcode_size);             \
        /* Another object may lie where a freed one lay. */                         \
        expect(blob != freed_blob && converter != freed_converter, "new handles");  \
    } while (0)
#define DONE                                                                        \
    do {                                                                            \
        dxil_spv_converter_free(converter);                                         \
        dxil_spv_parsed_blob_free(blob);                                            \
        dxil_spv_end_thread_allocator_context();                                    \
        freed_blob = blob;                                                          \
        freed_converter = converter;                                                \
    } while (0)
    FRESH;
    DONE;
    dxil_spv_converter_free(converter);
    dxil_spv_parsed_blob_free(blob);
"#;

const END: &str = r#"}

int main(int argc, char **argv)
{
    FILE *file = fopen(argv[argc - 1], "rb");
    if (!file)
        return 2;
    shader_size = fread(shader, 1, sizeof(shader), file);
    fclose(file);
    all(0);
    all(1);
    if (!wrong)
        puts("fine");
    return wrong != 0;
}
"#;

/// Returns a call with a wrong argument, and the check of its result.
fn call(function: &Function, at: usize, wrong: &str, fails: bool) -> String {
    let arguments: Vec<String> = function
        .parameters
        .iter()
        .enumerate()
        .map(|(index, (ty, name))| {
            if index == at {
                wrong.to_owned()
            } else {
                good(&function.name, ty, name)
            }
        })
        .collect();
    let call = format!("{}({})", function.name, arguments.join(", "));
    let said = call.replace('"', "\\\"");
    match function.result.as_str() {
        "void" => format!("FRESH; {call}; DONE;"),
        "dxil_spv_result" if fails => format!("FRESH; expect({call} < 0, \"{said}\"); DONE;"),
        // False, no stage, no text, none.
        _ if fails => format!("FRESH; expect(!{call}, \"{said}\"); DONE;"),
        _ => format!("FRESH; (void){call}; DONE;"),
    }
}

/// Returns the program: it calls every function, with null for each of its pointers in turn, and
/// with invalid handles.
pub(crate) fn misuse_program() -> String {
    let functions = functions(&header("dxil_spirv_c.h"));
    assert_eq!(functions.len(), 64);
    let mut program = BEGINNING.to_owned();
    let mut calls = 0;
    for function in &functions {
        for (at, (ty, name)) in function.parameters.iter().enumerate() {
            if !is_pointer(ty) {
                continue;
            }
            let fails = !may_be_null(&function.name, ty, name);
            writeln!(program, "    {}", call(function, at, "NULL", fails)).unwrap();
            calls += 1;
            if is_handle(ty) {
                let other = match ty.as_str() {
                    "dxil_spv_converter" => "blob",
                    _ => "converter",
                };
                let freed = format!(
                    "freed_{}",
                    ty.trim_start_matches("dxil_spv_parsed_")
                        .trim_start_matches("dxil_spv_")
                );
                for wrong in ["no_handle".to_owned(), format!("(void *){other}"), freed] {
                    writeln!(program, "    {}", call(function, at, &wrong, fails)).unwrap();
                    calls += 1;
                }
            }
        }
    }
    program.push_str(END);
    assert!(calls > 200, "{calls}");
    program
}
