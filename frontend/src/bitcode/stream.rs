//! Blocks and records: the bitstream as a sequence of events.
//!
//! [`Stream::next`] gives one event at a time. A record's numbers lie in one buffer that the next
//! event overwrites ([`Stream::record`]). On [`Event::Block`] the caller enters or skips the block.
//! BLOCKINFO and abbreviation definitions are dealt with here and never seen outside.

use super::abbrev::{Abbrev, AbbrevOp, Abbrevs, ScalarEncoding};
use super::account::Account;
use super::bits::{Bits, Run};
use crate::error::{Error, ErrorKind, Result};
use crate::limits::MAX_BLOCK_DEPTH;

const END_BLOCK: u64 = 0;
const ENTER_SUBBLOCK: u64 = 1;
const DEFINE_ABBREV: u64 = 2;
const UNABBREV_RECORD: u64 = 3;
const FIRST_ABBREV: u64 = 4;
const BLOCKINFO: u32 = 0;
const BLOCKINFO_SETBID: u32 = 1;

/// The next item of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// A record with that code; see [`Stream::record`].
    Record(u32),
    /// A block of that kind begins: call [`Stream::enter`] or [`Stream::skip`].
    Block(u32),
    /// The present block is over.
    End,
}

/// An [`Event`] in one number, which a call returns in a register: the kind above the code or id.
#[derive(Debug, Clone, Copy)]
struct PackedEvent(u64);

impl PackedEvent {
    const END: PackedEvent = PackedEvent(2 << 32);

    #[inline]
    fn record(code: u64) -> Self {
        PackedEvent(code.min(u64::from(u32::MAX)))
    }

    #[inline]
    fn block(id: u32) -> Self {
        PackedEvent(1 << 32 | u64::from(id))
    }

    #[inline]
    fn unpack(self) -> Event {
        let number = u32::try_from(self.0 & u64::from(u32::MAX)).unwrap_or_default();
        match self.0 >> 32 {
            0 => Event::Record(number),
            1 => Event::Block(number),
            _ => Event::End,
        }
    }
}

/// The position of a block's content; see [`Stream::skip`] and [`Stream::enter_at`].
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockStart {
    position: usize,
}

/// An open block.
#[derive(Debug, Clone, Copy)]
struct BlockScope {
    /// Width of abbreviation ids.
    width: u32,
    /// Its kind's list of abbreviations.
    info: Option<usize>,
    /// Local abbreviations when it was opened.
    locals: usize,
    /// The limit of the enclosing block.
    outer_end: usize,
    /// Whether its content was checked against its length; the outermost scope has none.
    is_block: bool,
}

/// A bitstream.
#[derive(Debug)]
pub(super) struct Stream<'a> {
    bits: Bits<'a>,
    abbrevs: Abbrevs,
    scope: BlockScope,
    outer: Vec<BlockScope>,
    /// The numbers of the last record; longer if an earlier record had more.
    ops: Vec<u64>,
    /// Number of operands in the record.
    count: usize,
    /// First bit of the last record.
    record_start: usize,
    account: Account,
    /// Whether BLOCKINFO must be where LLVM 3.7 reads it: see [`Stream::strict`].
    is_strict: bool,
    /// Whether BLOCKINFO named a kind of block.
    has_block_info: bool,
}

/// The numbers of a record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record<'a> {
    /// The numbers, without the code.
    pub(super) ops: &'a [u64],
    /// Offset in the whole input.
    pub(super) offset: u64,
}

impl<'a> Record<'a> {
    /// Returns an error at this record.
    #[cold]
    pub(super) fn err(&self, kind: ErrorKind) -> Error {
        Error::new(kind).at_offset(self.offset)
    }

    /// Returns a malformed-input error at this record.
    #[cold]
    pub(super) fn malformed(&self, message: &str) -> Error {
        self.err(ErrorKind::Malformed(message.into()))
    }

    /// Returns an unsupported-input error at this record.
    #[cold]
    pub(super) fn unsupported(&self, message: &str) -> Error {
        self.err(ErrorKind::Unsupported(message.into()))
    }

    #[cold]
    fn too_short(&self, what: &'static str, need: usize) -> Error {
        self.err(ErrorKind::Truncated {
            what,
            need: need as u64,
            have: self.ops.len() as u64,
        })
    }

    /// Returns the `index`-th number; `what` names the record in the error.
    #[inline]
    pub(super) fn get(&self, index: usize, what: &'static str) -> Result<u64> {
        match self.ops.get(index) {
            Some(value) => Ok(*value),
            None => Err(self.too_short(what, index + 1)),
        }
    }

    /// Returns the `index`-th number, which must fit 32 bits.
    #[inline]
    pub(super) fn u32(&self, index: usize, what: &'static str) -> Result<u32> {
        let value = self.get(index, what)?;
        u32::try_from(value).map_err(|_| {
            self.err(ErrorKind::BadValue {
                what,
                value,
                rule: "the number must fit 32 bits",
            })
        })
    }

    /// Returns the numbers from `index` on.
    pub(super) fn rest(&self, index: usize) -> &'a [u64] {
        self.ops.get(index..).unwrap_or_default()
    }

    /// Returns the numbers from `index` on as text; invalid UTF-8 is replaced.
    pub(super) fn text(&self, index: usize) -> Box<str> {
        text(self.rest(index))
    }
}

/// Returns bytes, one per number, as text; invalid UTF-8 is replaced.
pub(super) fn text(numbers: &[u64]) -> Box<str> {
    let bytes: Vec<u8> = numbers.iter().map(|n| (*n & 0xff) as u8).collect();
    match String::from_utf8(bytes) {
        Ok(text) => text.into_boxed_str(),
        Err(error) => String::from_utf8_lossy(error.as_bytes())
            .into_owned()
            .into_boxed_str(),
    }
}

impl<'a> Stream<'a> {
    /// Returns a stream over `bits`, outside of any block.
    pub(super) fn new(bits: Bits<'a>) -> Self {
        let end = bits.end();
        Stream {
            bits,
            abbrevs: Abbrevs::default(),
            scope: BlockScope {
                width: 2,
                info: None,
                locals: 0,
                outer_end: end,
                is_block: false,
            },
            outer: Vec::with_capacity(4),
            // The data layout is the longest record of a small shader.
            ops: [0; 128].to_vec(),
            count: 0,
            record_start: 0,
            account: Account::of(end),
            is_strict: false,
            has_block_info: false,
        }
    }

    /// Returns a stream that refuses BLOCKINFO where LLVM 3.7 does not read it: outside of the
    /// module's block, after another one, with blocks inside.
    pub(super) fn strict(bits: Bits<'a>) -> Self {
        Stream {
            is_strict: true,
            ..Stream::new(bits)
        }
    }

    /// Returns the bit at which the next event begins.
    pub(super) fn position(&self) -> usize {
        self.bits.position()
    }

    /// Returns the bit at which the last record began, with its abbreviation id.
    pub(super) fn record_start(&self) -> usize {
        self.record_start
    }

    /// Returns the operations of the last record's abbreviation; `None` if it has none.
    pub(super) fn last_abbreviation(&mut self) -> Result<Option<&[AbbrevOp]>> {
        let after = self.bits.position();
        self.bits.seek(self.record_start);
        let id = self.bits.fixed(self.scope.width)?;
        self.bits.seek(after);
        let index = id.checked_sub(FIRST_ABBREV);
        let index = index.map(|index| usize::try_from(index).unwrap_or(usize::MAX));
        let found = index.and_then(|index| {
            let (info, locals) = (self.scope.info, self.scope.locals);
            self.abbrevs.find(info, locals, index)
        });
        Ok(found.map(|abbrev| self.abbrevs.ops(abbrev)))
    }

    /// Reads the 32 bits that a stream begins with.
    pub(super) fn skip_magic(&mut self, magic: u32) -> Result<()> {
        let found = self.bits.fixed(32)?;
        if found == u64::from(magic) {
            return Ok(());
        }
        Err(self.bits.err(ErrorKind::BadValue {
            what: "bitcode magic",
            value: found,
            rule: "LLVM bitcode begins with 'BC' 0xc0de",
        }))
    }

    /// Returns the record of the last [`Event::Record`].
    #[inline]
    pub(super) fn record(&self) -> Record<'_> {
        Record {
            ops: self.ops.get(..self.count).unwrap_or_default(),
            offset: self.bits.offset_of(self.record_start),
        }
    }

    /// Returns whether fewer than 32 bits are left, outside of any block.
    pub(super) fn is_at_end(&self) -> bool {
        // Blocks begin and end on words, so less than a word is padding.
        self.bits.remaining() < 32
    }

    /// Returns the number of bits of the present block that are left: a bound for what it can hold.
    pub(super) fn remaining_bits(&self) -> usize {
        self.bits.remaining()
    }

    /// Charges blocks and edges of a function that was read.
    ///
    /// # Errors
    ///
    /// The parts of the module count for more than its bytes allow.
    pub(super) fn charge_graph(&mut self, blocks: usize, edges: usize) -> Result<()> {
        let charged = self.account.charge_graph(blocks, edges);
        charged.map_err(|kind| self.bits.err(kind))
    }

    /// Returns an error at the present position.
    #[cold]
    pub(super) fn err(&self, kind: ErrorKind) -> Error {
        self.bits.err(kind)
    }

    /// Reads the next event.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Event> {
        self.advance().map(PackedEvent::unpack)
    }

    /// Reads the next event. One function with all of it inside, so that the window stays in
    /// registers.
    #[inline(never)]
    fn advance(&mut self) -> Result<PackedEvent> {
        loop {
            self.record_start = self.bits.position();
            let mut run = self.bits.run();
            match run.first(self.scope.width) {
                END_BLOCK => {
                    self.bits.finish(run)?;
                    self.leave()?;
                    return Ok(PackedEvent::END);
                }
                ENTER_SUBBLOCK => {
                    let id = run.vbr(8);
                    self.bits.finish(run)?;
                    // A kind that does not fit 32 bits is as unknown as `u32::MAX`: callers skip
                    // it.
                    let id = u32::try_from(id).unwrap_or(u32::MAX);
                    // LLVM Bitcode File Format, "Standard Blocks": BLOCKINFO may stand in any block
                    // and changes how later blocks decode, so every level must read it.
                    if id != BLOCKINFO {
                        return Ok(PackedEvent::block(id));
                    }
                    self.read_block_info()?;
                }
                DEFINE_ABBREV => self.abbrevs.define_local(&mut self.bits, run)?,
                UNABBREV_RECORD => return self.read_unabbreviated(run),
                id => {
                    let index = usize::try_from(id - FIRST_ABBREV).unwrap_or(usize::MAX);
                    let abbrev = self
                        .abbrevs
                        .find(self.scope.info, self.scope.locals, index)
                        .ok_or_else(|| {
                            self.bits.err(ErrorKind::BadValue {
                                what: "abbreviation id",
                                value: id,
                                rule: "it must be defined",
                            })
                        })?;
                    return self.read_abbreviated(run, abbrev);
                }
            }
        }
    }

    /// Reads the next record of a block whose sub-blocks do not matter; `None` at its end.
    #[inline]
    pub(super) fn next_record(&mut self) -> Result<Option<u32>> {
        loop {
            match self.next()? {
                Event::Record(code) => return Ok(Some(code)),
                Event::Block(_) => {
                    self.skip()?;
                }
                Event::End => return Ok(None),
            }
        }
    }

    /// Enters the block of the last [`Event::Block`], whose kind is `id`.
    pub(super) fn enter(&mut self, id: u32) -> Result<()> {
        let width = self.bits.vbr(4)?;
        let width = match u32::try_from(width) {
            // Four built-in ids need two bits; LLVM's reader refuses more than 32.
            Ok(width @ 2..=32) => width,
            _ => {
                return Err(self.bits.err(ErrorKind::BadValue {
                    what: "width of a block's abbreviation ids",
                    value: width,
                    rule: "2 to 32 bits",
                }));
            }
        };
        self.bits.align32()?;
        let end = self.read_length()?;
        // Each level costs only some bytes, and readers of nested blocks may recurse.
        if self.outer.len() >= MAX_BLOCK_DEPTH {
            return Err(self.bits.err(ErrorKind::Limit {
                what: "nesting of bitstream blocks",
                value: self.outer.len() as u64 + 1,
                limit: MAX_BLOCK_DEPTH as u64,
            }));
        }
        self.outer.push(self.scope);
        self.scope = BlockScope {
            width,
            // Looked up once per block: what BLOCKINFO adds later in this block applies to later
            // blocks.
            info: self.abbrevs.info_index(id),
            locals: self.abbrevs.open(),
            outer_end: self.bits.end(),
            is_block: true,
        };
        self.bits.set_end(end);
        Ok(())
    }

    /// Returns the beginning of the block of the last [`Event::Block`], for [`Stream::enter_at`].
    pub(super) fn start(&self) -> BlockStart {
        BlockStart {
            position: self.bits.position(),
        }
    }

    /// Leaves the current block and skips the rest of it.
    pub(super) fn close(&mut self) -> Result<()> {
        self.bits.seek(self.bits.end());
        self.leave()
    }

    /// Skips the block of the last [`Event::Block`]; the result is good for [`Stream::enter_at`].
    pub(super) fn skip(&mut self) -> Result<BlockStart> {
        let start = self.start();
        // The width of ids does not matter for a block that is not read.
        self.bits.vbr(4)?;
        self.bits.align32()?;
        let end = self.read_length()?;
        self.bits.seek(end);
        Ok(start)
    }

    /// Goes back to a block that was skipped, and enters it. The present block must be the one it
    /// lies in, or an outer one.
    pub(super) fn enter_at(&mut self, start: BlockStart, id: u32) -> Result<()> {
        self.bits.seek(start.position);
        self.enter(id)
    }

    /// Reads the length of a block in words. Returns the bit after its end.
    fn read_length(&mut self) -> Result<usize> {
        let words = self.bits.fixed(32)?;
        let have = self.bits.remaining() as u64;
        let need = words.saturating_mul(32);
        match usize::try_from(need) {
            // `have` is what the enclosing block has left: a block must not reach beyond its
            // parent.
            Ok(need_bits) if need <= have => Ok(self.bits.position() + need_bits),
            _ => Err(self.bits.err(ErrorKind::Truncated {
                what: "bitstream block",
                need: need / 8,
                have: have / 8,
            })),
        }
    }

    #[inline(never)]
    fn leave(&mut self) -> Result<()> {
        if !self.scope.is_block {
            return Err(self
                .bits
                .err(ErrorKind::Malformed("a block ends that never began".into())));
        }
        self.bits.align32()?;
        // The length and END_BLOCK must agree: skipping a block jumps by its length, and both ways
        // must arrive at the same bit.
        if self.bits.remaining() != 0 {
            return Err(self.bits.err(ErrorKind::Malformed(
                "a block ends before its length says".into(),
            )));
        }
        self.abbrevs.close(self.scope.locals);
        self.bits.set_end(self.scope.outer_end);
        if let Some(outer) = self.outer.pop() {
            self.scope = outer;
        }
        Ok(())
    }

    /// Reads BLOCKINFO: abbreviations for all later blocks of a kind.
    #[inline(never)]
    fn read_block_info(&mut self) -> Result<()> {
        if self.is_strict && (self.outer.len() != 1 || self.has_block_info) {
            return Err(self.bits.err(ErrorKind::Malformed(
                "BLOCKINFO is not once and directly in the module".into(),
            )));
        }
        self.enter(BLOCKINFO)?;
        let mut block = None;
        loop {
            let mut run = self.bits.run();
            match run.first(self.scope.width) {
                END_BLOCK => {
                    self.bits.finish(run)?;
                    return self.leave();
                }
                ENTER_SUBBLOCK => {
                    run.vbr(8);
                    self.bits.finish(run)?;
                    if self.is_strict {
                        return Err(self
                            .bits
                            .err(ErrorKind::Malformed("a block stands in BLOCKINFO".into())));
                    }
                    self.skip()?;
                }
                DEFINE_ABBREV => {
                    // LLVM Bitcode File Format, "#0 - BLOCKINFO Block": SETBID precedes everything
                    // else.
                    let block = block.ok_or_else(|| {
                        self.bits.err(ErrorKind::Malformed(
                            "BLOCKINFO defines an abbreviation for no block".into(),
                        ))
                    })?;
                    self.abbrevs.define_for(block, &mut self.bits, run)?;
                }
                UNABBREV_RECORD => {
                    let event = self.read_unabbreviated(run)?.unpack();
                    if event == Event::Record(BLOCKINFO_SETBID) {
                        block = Some(self.record().u32(0, "BLOCKINFO SETBID")?);
                        self.has_block_info = true;
                    }
                }
                id => {
                    return Err(self.bits.err(ErrorKind::BadValue {
                        what: "abbreviation id in BLOCKINFO",
                        value: id,
                        rule: "its records are not abbreviated",
                    }));
                }
            }
        }
    }

    #[inline(always)]
    fn read_unabbreviated(&mut self, mut run: Run<'a>) -> Result<PackedEvent> {
        // The window had 57 bits at least, and an id takes at most 32 of them.
        let code = run.vbr6_in_window();
        let count = run.vbr6();
        // Checked before memory is taken: each field costs at least one chunk of six bits, so a
        // record never allocates more than the file has paid for.
        let count = self.bits.check_count(&run, count, 6)?;
        run.vbr6_run(places(&mut self.ops, 0, count));
        self.count = count;
        self.bits.finish(run)?;
        Ok(PackedEvent::record(code))
    }

    #[inline(always)]
    fn read_abbreviated(&mut self, mut run: Run<'a>, abbrev: Abbrev) -> Result<PackedEvent> {
        let mut fields = self.abbrevs.ops(abbrev).iter();
        let code = match fields.next() {
            Some(AbbrevOp::Literal(code)) => u64::from(*code),
            Some(AbbrevOp::Vbr6) => run.vbr6(),
            Some(AbbrevOp::Scalar(scalar)) => read_scalar(&mut run, *scalar),
            Some(AbbrevOp::Array(_) | AbbrevOp::Blob) | None => {
                return Err(self.bits.err(ErrorKind::Internal(
                    "an abbreviation without a code was accepted",
                )));
            }
        };
        let mut count = 0;
        for field in fields {
            let value = match *field {
                AbbrevOp::Literal(value) => u64::from(value),
                AbbrevOp::Vbr6 => run.vbr6(),
                AbbrevOp::Scalar(scalar) => read_scalar(&mut run, scalar),
                AbbrevOp::Array(scalar) => {
                    let len = run.vbr6();
                    let len = self.bits.check_count(&run, len, scalar.min_bits())?;
                    let places = places(&mut self.ops, count, len);
                    match scalar {
                        // A constant width lets the compiler unroll the commonest array, that of
                        // bytes.
                        ScalarEncoding::Fixed(8) => run.fixed_run(8, places, |byte| byte),
                        ScalarEncoding::Fixed(7) => run.fixed_run(7, places, |byte| byte),
                        ScalarEncoding::Fixed(width) if width <= 32 => {
                            run.fixed_run(u32::from(width), places, |value| value);
                        }
                        ScalarEncoding::Char6 => run.fixed_run(6, places, char6),
                        ScalarEncoding::Vbr(6) => run.vbr6_run(places),
                        ScalarEncoding::Fixed(_) | ScalarEncoding::Vbr(_) => {
                            for place in places {
                                *place = read_scalar(&mut run, scalar);
                            }
                        }
                    }
                    count += len;
                    continue;
                }
                AbbrevOp::Blob => {
                    let len = run.vbr6();
                    // LLVM Bitcode File Format, "DEFINE_ABBREV Encoding": blobs are aligned to 32
                    // bits on both ends.
                    run.align32();
                    let len = self.bits.check_count(&run, len, 8)?;
                    run.fixed_run(8, places(&mut self.ops, count, len), |byte| byte);
                    run.align32();
                    count += len;
                    continue;
                }
            };
            // `ops` is never shortened, so that records do not clear it; `count` says how much of
            // it is valid.
            match self.ops.get_mut(count) {
                Some(place) => *place = value,
                None => self.ops.push(value),
            }
            count += 1;
        }
        self.count = count;
        // Records without abbreviation have their nominal size.
        let bits = run.position() - self.record_start;
        if !self.account.charge_record(count, bits) {
            return Err(self.bits.err(self.account.too_many_records()));
        }
        self.bits.finish(run)?;
        Ok(PackedEvent::record(code))
    }
}

/// Returns `count` places for numbers from `start` on.
#[inline]
fn places(ops: &mut Vec<u64>, start: usize, count: usize) -> &mut [u64] {
    // Cannot overflow: `check_count` bounds both by the bits of the input.
    let end = start + count;
    if ops.len() < end {
        grow(ops, end);
    }
    ops.get_mut(start..end).unwrap_or_default()
}

#[cold]
#[inline(never)]
fn grow(ops: &mut Vec<u64>, len: usize) {
    ops.resize(len, 0);
}

#[inline(always)]
fn read_scalar(run: &mut Run<'_>, scalar: ScalarEncoding) -> u64 {
    match scalar {
        ScalarEncoding::Fixed(width) => run.fixed(u32::from(width)),
        ScalarEncoding::Vbr(width) => run.vbr(u32::from(width)),
        ScalarEncoding::Char6 => char6(run.fixed(6)),
    }
}

/// Returns the character that six bits encode.
#[inline]
fn char6(bits: u64) -> u64 {
    const ALPHABET: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    let index = usize::try_from(bits).unwrap_or_default();
    u64::from(ALPHABET.get(index).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitcode::bit_writer::BitWriter;

    const ABBREV: u64 = 2;

    fn stream(bytes: &[u8]) -> Stream<'_> {
        Stream::new(Bits::new(bytes, 0))
    }

    /// Enters the block that comes next.
    fn enter(stream: &mut Stream<'_>) {
        match stream.next() {
            Ok(Event::Block(id)) => stream.enter(id).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// Defines an abbreviation: code 5, a literal 7, a fixed field of 3 bits, and an array of
    /// char6.
    fn define(writer: &mut BitWriter) {
        writer.id(ABBREV);
        writer.vbr(5, 5);
        for literal in [5, 7] {
            writer.fixed(1, 1);
            writer.vbr(literal, 8);
        }
        writer.fixed(0, 1);
        writer.fixed(1, 3);
        writer.vbr(3, 5);
        writer.fixed(0, 1);
        writer.fixed(3, 3);
        writer.fixed(0, 1);
        writer.fixed(4, 3);
    }

    /// Writes a record in that form: 6, then "b_".
    fn use_it(writer: &mut BitWriter, id: u64) {
        writer.id(id);
        writer.fixed(6, 3);
        writer.vbr(2, 6);
        writer.fixed(1, 6);
        writer.fixed(63, 6);
    }

    const EXPECTED: [u64; 4] = [7, 6, b'b' as u64, b'_' as u64];

    #[test]
    fn abbreviated_and_plain_records_give_the_same_numbers() {
        let mut writer = BitWriter::new();
        writer.enter(8, 4);
        define(&mut writer);
        use_it(&mut writer, 4);
        writer.record(5, EXPECTED);
        writer.leave();
        let bytes = writer.finish();
        let mut stream = stream(&bytes);
        enter(&mut stream);
        for _ in 0..2 {
            assert_eq!(stream.next(), Ok(Event::Record(5)));
            assert_eq!(stream.record().ops, EXPECTED);
        }
        assert_eq!(stream.next(), Ok(Event::End));
    }

    #[test]
    fn blockinfo_defines_for_all_later_blocks_of_its_kind_only() {
        let mut writer = BitWriter::new();
        writer.enter(0, 3);
        writer.record(1, [12]);
        define(&mut writer);
        writer.leave();
        for block in [12, 12, 11] {
            writer.enter(block, 3);
            use_it(&mut writer, 4);
            writer.leave();
        }
        let bytes = writer.finish();
        let mut stream = stream(&bytes);
        for _ in 0..2 {
            enter(&mut stream);
            assert_eq!(stream.next(), Ok(Event::Record(5)));
            assert_eq!(stream.record().ops, EXPECTED);
            assert_eq!(stream.next(), Ok(Event::End));
        }
        enter(&mut stream);
        assert!(stream.next().is_err());
    }

    #[test]
    fn local_abbreviations_end_with_their_block() {
        let mut writer = BitWriter::new();
        writer.enter(8, 3);
        writer.enter(9, 3);
        define(&mut writer);
        writer.leave();
        use_it(&mut writer, 4);
        writer.leave();
        let bytes = writer.finish();
        let mut stream = stream(&bytes);
        enter(&mut stream);
        enter(&mut stream);
        assert_eq!(stream.next(), Ok(Event::End));
        assert!(stream.next().is_err());
    }

    #[test]
    fn blobs_are_bytes() {
        let mut writer = BitWriter::new();
        writer.enter(8, 3);
        writer.id(ABBREV);
        writer.vbr(2, 5);
        writer.fixed(1, 1);
        writer.vbr(9, 8);
        writer.fixed(0, 1);
        writer.fixed(5, 3);
        writer.id(4);
        writer.vbr(3, 6);
        writer.align32();
        for byte in [1, 2, 255] {
            writer.fixed(byte, 8);
        }
        writer.align32();
        writer.leave();
        let bytes = writer.finish();
        let mut stream = stream(&bytes);
        enter(&mut stream);
        assert_eq!(stream.next(), Ok(Event::Record(9)));
        assert_eq!(stream.record().ops, [1, 2, 255]);
        assert_eq!(stream.next(), Ok(Event::End));
    }

    #[test]
    fn counts_that_the_block_cannot_hold_are_errors() {
        let mut writer = BitWriter::new();
        writer.enter(8, 3);
        writer.id(UNABBREV_RECORD);
        writer.vbr(1, 6);
        writer.vbr(1 << 40, 6);
        writer.leave();
        let bytes = writer.finish();
        let mut stream = stream(&bytes);
        enter(&mut stream);
        let error = stream.next().unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Truncated { .. }),
            "{error}"
        );
        assert!(stream.ops.capacity() <= 128);
    }

    #[test]
    fn a_block_may_not_be_longer_than_the_one_around_it() {
        let mut writer = BitWriter::new();
        writer.enter(8, 3);
        writer.enter(9, 3);
        writer.leave();
        writer.leave();
        writer.record(1, [1, 2, 3, 4, 5, 6, 7, 8]);
        let mut bytes = writer.finish();
        // The inner block's length is the fourth word.
        bytes[12] = 4;
        let mut stream = stream(&bytes);
        enter(&mut stream);
        assert_eq!(stream.next(), Ok(Event::Block(9)));
        assert!(stream.enter(9).is_err());
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let mut writer = BitWriter::new();
        for _ in 0..100 {
            writer.enter(8, 3);
        }
        for _ in 0..100 {
            writer.leave();
        }
        let bytes = writer.finish();
        let mut stream = stream(&bytes);
        let mut depth = 0;
        let error = loop {
            assert_eq!(stream.next(), Ok(Event::Block(8)));
            match stream.enter(8) {
                Ok(()) => depth += 1,
                Err(error) => break error,
            }
        };
        assert_eq!(depth, MAX_BLOCK_DEPTH);
        assert!(matches!(error.kind(), ErrorKind::Limit { .. }));
    }

    #[test]
    fn arrays_of_nothing_are_refused() {
        // Elements of no width would make a count cost nothing.
        for (is_literal, width) in [(true, 0), (false, 0)] {
            let mut writer = BitWriter::new();
            writer.enter(8, 3);
            writer.id(ABBREV);
            writer.vbr(3, 5);
            writer.fixed(1, 1);
            writer.vbr(5, 8);
            writer.fixed(0, 1);
            writer.fixed(3, 3);
            if is_literal {
                writer.fixed(1, 1);
                writer.vbr(0, 8);
            } else {
                writer.fixed(0, 1);
                writer.fixed(1, 3);
                writer.vbr(width, 5);
            }
            writer.leave();
            let bytes = writer.finish();
            let mut stream = stream(&bytes);
            enter(&mut stream);
            assert!(stream.next().is_err());
        }
    }
}
