// Colours of languages that come as plain text: comments, texts, numbers, keywords, values.

const words = text => new Set(text.split(' '));

const C_LIKE = words('struct const void float int uint half bool double if else for while do switch case '
  + 'default break continue return static cbuffer register in out inout uniform layout buffer shared '
  + 'groupshared device constant thread threadgroup kernel using namespace include precise discard '
  + 'readonly writeonly coherent restrict highp mediump lowp float2 float3 float4 uint2 uint3 uint4 int2 '
  + 'int3 int4 vec2 vec3 vec4 uvec2 uvec3 uvec4 ivec2 ivec3 ivec4');

const KEYWORDS = {
  wgsl: words('fn var let const struct if else loop for while switch case default break continue return '
    + 'continuing enable diagnostic override f32 u32 i32 f16 bool vec2 vec3 vec4 array atomic ptr'),
  msl: C_LIKE, glsl: C_LIKE, hlsl: C_LIKE, source: C_LIKE,
  llvm: words('define declare call ret br switch phi load store getelementptr void i1 i8 i16 i32 i64 half '
    + 'float double label align to add sub mul udiv sdiv urem srem shl lshr ashr and or xor icmp fcmp fadd '
    + 'fsub fmul fdiv select zext sext trunc bitcast extractvalue insertvalue alloca attributes type'),
  tokens: new Set(),
  spirv: new Set(),
};

const COMMENT = { llvm: /^;.*/, spirv: /^;.*/, tokens: /^\/\/.*/ };
const TOKENS = [
  ['green', /^"(?:[^"\\]|\\.)*"/],
  ['magenta', /^[%@!][\w.$]+/],
  ['word', /^[A-Za-z_][\w.]*/],
  ['cyan', /^-?(?:0x[\da-fA-F]+|\d[\d.]*(?:[eE][-+]?\d+)?)[a-z]?\b/],
];

/** Returns the runs of a line: texts, or pairs of a class and a text. */
export function highlighted(line, language) {
  const runs = [];
  const comment = COMMENT[language] ?? /^\/\/.*/;
  const keywords = KEYWORDS[language] ?? new Set();
  let rest = line;
  let plain = '';
  const push = (kind, text) => {
    if (plain) runs.push(plain);
    plain = '';
    runs.push([kind, text]);
  };
  while (rest) {
    const found = comment.exec(rest);
    if (found) {
      push('dim', found[0]);
      rest = rest.slice(found[0].length);
      continue;
    }
    const [kind, text] = token(rest);
    if (kind === 'word') {
      const isKeyword = keywords.has(text) || (language === 'spirv' && /^Op[A-Z]/.test(text));
      if (isKeyword) push('yellow', text);
      else plain += text;
    } else if (kind) {
      push(kind, text);
    } else {
      plain += text;
    }
    rest = rest.slice(text.length);
  }
  if (plain) runs.push(plain);
  return runs;
}

function token(text) {
  for (const [kind, pattern] of TOKENS) {
    const found = pattern.exec(text);
    if (found) return [kind, found[0]];
  }
  return [null, text[0]];
}
