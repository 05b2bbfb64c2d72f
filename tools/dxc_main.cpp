// A command line for libdxcompiler.so, which must lie beside this program:
//
//   dxc [DXC's own arguments] [-Fo OUT] [-Fc LISTING] FILE.hlsl
//   The file may stand anywhere: it is the last argument that names a file, and no option's value.
//   dxc -Fo OUT FILE.ll                                           assembles DXIL, as `dxa` does
//
// The library is built against these very headers: later ones have another vtable layout.
#include "dxcapi.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

[[noreturn]] void die(const std::string &message) {
  std::fprintf(stderr, "dxc: %s\n", message.c_str());
  std::exit(2);
}

std::wstring widen(const std::string &text) { return {text.begin(), text.end()}; }

void write(const std::string &path, IDxcBlob *blob) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char *>(blob->GetBufferPointer()),
             static_cast<std::streamsize>(blob->GetBufferSize()));
  if (!file) die("cannot write " + path);
}

std::string library_beside_this_program() {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  if (length <= 0) die("cannot find my own path");
  std::string path(self, static_cast<size_t>(length));
  return path.substr(0, path.rfind('/') + 1) + "libdxcompiler.so";
}

bool is_file(const std::string &path) {
  struct stat about;
  return stat(path.c_str(), &about) == 0 && !S_ISDIR(about.st_mode);
}

// Options of DXC that take the next argument, which may be the name of a file.
bool takes_next(const std::string &option) {
  for (const char *known : {"-T", "-E", "-D", "-I", "-Fi", "-Fe", "-Fh", "-Fre", "-Frs", "-Fsh", "-Vn",
                            "-HV", "-setprivate", "-setrootsignature", "-rootsig-define", "-exports",
                            "-opt-disable", "-opt-enable", "-opt-select", "-validator-version",
                            "-force-rootsig-ver", "-auto-binding-space", "-default-linkage"})
    if (option == known) return true;
  return false;
}

template <typename T> T *output(IDxcResult *result, DXC_OUT_KIND kind) {
  T *blob = nullptr;
  result->GetOutput(kind, __uuidof(T), reinterpret_cast<void **>(&blob), nullptr);
  return blob;
}

// A container of DXIL in LLVM's text form.
int assemble(DxcCreateInstanceProc create, IDxcUtils *utils, const std::string &text,
             const std::string &object) {
  IDxcAssembler *assembler = nullptr;
  IDxcBlobEncoding *source = nullptr;
  if (create(CLSID_DxcAssembler, __uuidof(IDxcAssembler), reinterpret_cast<void **>(&assembler)) ||
      utils->CreateBlob(text.data(), static_cast<UINT32>(text.size()), CP_UTF8, &source))
    die("cannot create the assembler");
  IDxcOperationResult *result = nullptr;
  if (assembler->AssembleToContainer(source, &result)) die("the assembler call failed");
  HRESULT status = 0;
  result->GetStatus(&status);
  if (FAILED(status)) {
    IDxcBlobEncoding *messages = nullptr;
    result->GetErrorBuffer(&messages);
    if (messages) std::fprintf(stderr, "%s\n",
                               static_cast<const char *>(messages->GetBufferPointer()));
    return 1;
  }
  IDxcBlob *assembled = nullptr;
  result->GetResult(&assembled);
  if (!assembled) die("no output");
  if (!object.empty()) write(object, assembled);
  return 0;
}

} // namespace

int main(int count, char **values) {
  std::string object, listing, pdb, source, missing;
  std::vector<std::wstring> arguments;
  for (int i = 1; i < count; ++i) {
    std::string value = values[i];
    if (value == "-Fo" && i + 1 < count) {
      object = values[++i];
    } else if (value == "-Fc" && i + 1 < count) {
      listing = values[++i];
    } else if (value == "-Fd" && i + 1 < count) {
      pdb = values[++i];
    } else {
      bool is_value = i > 1 && takes_next(values[i - 1]);
      if (value[0] != '-' && !is_value) (is_file(value) ? source : missing) = value;
      arguments.push_back(widen(value));
    }
  }
  if (source.empty()) die(missing.empty() ? "no file" : "cannot read '" + missing + "'");
  std::ifstream file(source, std::ios::binary);
  if (!file) die("cannot read '" + source + "'");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());

  std::string path = library_beside_this_program();
  void *library = dlopen(path.c_str(), RTLD_NOW);
  if (!library) die(dlerror());
  auto create = reinterpret_cast<DxcCreateInstanceProc>(dlsym(library, "DxcCreateInstance"));
  if (!create) die(path + " has no DxcCreateInstance");
  IDxcUtils *utils = nullptr;
  IDxcCompiler3 *compiler = nullptr;
  if (create(CLSID_DxcUtils, __uuidof(IDxcUtils), reinterpret_cast<void **>(&utils)) ||
      create(CLSID_DxcCompiler, __uuidof(IDxcCompiler3), reinterpret_cast<void **>(&compiler)))
    die("cannot create the compiler");
  if (source.size() > 3
      && source.substr(source.size() - 3) == ".ll") return assemble(create, utils, text, object);
  IDxcIncludeHandler *includes = nullptr;
  utils->CreateDefaultIncludeHandler(&includes);

  std::vector<LPCWSTR> pointers;
  for (const auto &argument : arguments) pointers.push_back(argument.c_str());
  DxcBuffer input{text.data(), text.size(), CP_UTF8};
  IDxcResult *result = nullptr;
  if (compiler->Compile(&input, pointers.data(), static_cast<UINT32>(pointers.size()), includes,
                        __uuidof(IDxcResult), reinterpret_cast<void **>(&result)))
    die("the compile call failed");
  HRESULT status = 0;
  result->GetStatus(&status);
  if (auto *messages = output<IDxcBlobUtf8>(result, DXC_OUT_ERRORS);
      messages && messages->GetStringLength() && FAILED(status))
    std::fprintf(stderr, "%s\n", messages->GetStringPointer());
  if (FAILED(status)) return 1;

  auto *compiled = output<IDxcBlob>(result, DXC_OUT_OBJECT);
  if (!compiled) die("no output");
  if (!object.empty()) write(object, compiled);
  if (!pdb.empty()) {
    auto *debug = output<IDxcBlob>(result, DXC_OUT_PDB);
    if (!debug) die("no PDB");
    write(pdb, debug);
  }
  if (!listing.empty()) {
    DxcBuffer again{compiled->GetBufferPointer(), compiled->GetBufferSize(), 0};
    IDxcResult *text_result = nullptr;
    compiler->Disassemble(&again, __uuidof(IDxcResult), reinterpret_cast<void **>(&text_result));
    if (auto *disassembly = output<IDxcBlob>(text_result, DXC_OUT_DISASSEMBLY)) write(listing,
                                                                                      disassembly);
  }
  return 0;
}
