// Says what DXC makes of containers: whether its validator takes each, and a hash of its listing.
//
//   c++ -O1 -w -std=c++17 -I"$(tools/get-dxc.sh)" tools/conformance/dxc_check.cpp -o check -ldl
//   ./check "$(tools/get-dxc.sh)" < names      one file name a line
//
// A line for each file: `valid`, `refused` or `crashed`; the hash, `-` without a listing; the first
// message. Tabs separate them. Each file has a process of its own, since this DXC crashes on some.
#include "dxcapi.h"

#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace {

IDxcUtils *utils;
IDxcValidator *validator;
IDxcCompiler *compiler;

bool load(const std::string &folder) {
  void *library = dlopen((folder + "/libdxcompiler.so").c_str(), RTLD_NOW);
  if (!library) {
    std::fprintf(stderr, "%s\n", dlerror());
    return false;
  }
  auto create = reinterpret_cast<DxcCreateInstanceProc>(dlsym(library, "DxcCreateInstance"));
  create(CLSID_DxcUtils, __uuidof(IDxcUtils), reinterpret_cast<void **>(&utils));
  create(CLSID_DxcValidator, __uuidof(IDxcValidator), reinterpret_cast<void **>(&validator));
  create(CLSID_DxcCompiler, __uuidof(IDxcCompiler), reinterpret_cast<void **>(&compiler));
  return utils && validator && compiler;
}

std::string text_of(IDxcBlob *blob) {
  if (!blob) return {};
  return {static_cast<const char *>(blob->GetBufferPointer()), blob->GetBufferSize()};
}

// FNV-1a of the listing, without the line that has the hash of the program.
unsigned long long hash_of(const std::string &listing) {
  unsigned long long hash = 14695981039346656037ull;
  for (size_t at = 0; at < listing.size();) {
    size_t end = listing.find('\n', at);
    end = end == std::string::npos ? listing.size() : end + 1;
    const std::string line = listing.substr(at, end - at);
    at = end;
    if (line.compare(0, 14, "; shader hash:") == 0) continue;
    for (unsigned char c : line) hash = (hash ^ c) * 1099511628211ull;
  }
  return hash;
}

std::string verdict(const std::string &bytes) {
  IDxcBlobEncoding *blob = nullptr;
  utils->CreateBlob(bytes.data(), static_cast<UINT32>(bytes.size()), 0, &blob);
  IDxcOperationResult *result = nullptr;
  HRESULT status = -1;
  std::string message;
  // The validator may write the digest; the listing does not have it.
  if (validator->Validate(blob, DxcValidatorFlags_Default, &result) == 0 && result) {
    result->GetStatus(&status);
    IDxcBlobEncoding *errors = nullptr;
    result->GetErrorBuffer(&errors);
    message = text_of(errors);
  }
  for (char &c : message)
    if (c == '\n' || c == '\t') c = ' ';
  IDxcBlobEncoding *listing = nullptr;
  std::string hash = "-";
  if (compiler->Disassemble(blob, &listing) == 0 && listing) {
    char text[32];
    std::snprintf(text, sizeof text, "%016llx", hash_of(text_of(listing)));
    hash = text;
  }
  return (status == 0 ? "valid\t" : "refused\t") + hash + "\t" + message.substr(0, 300);
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 2 || !load(arguments[1])) return 2;
  std::string name;
  while (std::getline(std::cin, name)) {
    int ends[2];
    if (pipe(ends)) return 2;
    const pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      const rlimit seconds = {120, 120}, none = {0, 0};
      setrlimit(RLIMIT_CPU, &seconds);
      setrlimit(RLIMIT_CORE, &none);
      std::ifstream file(name, std::ios::binary);
      const std::string line = verdict({std::istreambuf_iterator<char>(file), {}});
      const bool whole = write(ends[1], line.data(), line.size()) == static_cast<ssize_t>(line.size());
      _exit(whole ? 0 : 1);
    }
    close(ends[1]);
    std::string line;
    char buffer[512];
    for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) line.append(buffer, got);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status)) line = "crashed\t-\t";
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  }
}
