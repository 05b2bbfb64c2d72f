//! The figures as a result file of the Phoronix Test Suite (`composite.xml`), which its commands
//! show, merge and compare: a result for each figure, with the runs in `RawString`.

use std::fmt::Write as _;

use super::results::DeviceRun;
use super::table::number;
use crate::page::escape;

/// Returns the file's text.
pub(crate) fn result_file(run: &DeviceRun) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let identifier = escape(&run.label());
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n<PhoronixTestSuite>\n  <Generated>\n    <Title>dxil-bench device</Title>\n    \
         <LastModified>{date} 00:00:00</LastModified>\n    <TestClient>dxil-bench {version}</TestClient>\n    \
         <Description>Arithmetic, memory, atomics, textures, waves and launches of {identifier}</Description>\n  </Generated>\n  \
         <System>\n    <Identifier>{identifier}</Identifier>\n    <Hardware>Processor: {machine}, Graphics: {device}</Hardware>\n    \
         <Software>Vulkan: {api}, Display Driver: {driver}</Software>\n    <User>dxil-bench</User>\n    \
         <TimeStamp>{date} 00:00:00</TimeStamp>\n    <TestClientVersion>{version}</TestClientVersion>\n  </System>\n",
        date = escape(&run.date),
        machine = escape(&run.machine),
        device = escape(&run.device),
        api = escape(&run.api),
        driver = escape(&run.driver),
    );
    for row in &run.figures {
        let Some(value) = row.value else { continue };
        let runs: Vec<String> = row.runs.iter().map(|run| number(*run)).collect();
        // "Higher is better" and "lower is better" in that suite's words.
        let proportion = if row.more_is_better { "HIB" } else { "LIB" };
        let (family, label) = (escape(&row.family), escape(&row.label()));
        _ = write!(
            text,
            "  <Result>\n    <Identifier></Identifier>\n    <Title>dxil-bench device</Title>\n    \
             <AppVersion>{version}</AppVersion>\n    <Arguments>{family} {label}</Arguments>\n    \
             <Description>{family}: {label}</Description>\n    <Scale>{unit}</Scale>\n    \
             <Proportion>{proportion}</Proportion>\n    <DisplayFormat>BAR_GRAPH</DisplayFormat>\n    \
             <Data>\n      <Entry>\n        <Identifier>{identifier}</Identifier>\n        \
             <Value>{value}</Value>\n        <RawString>{runs}</RawString>\n      </Entry>\n    </Data>\n  </Result>\n",
            unit = escape(&row.unit),
            value = number(value.median),
            runs = runs.join(":"),
        );
    }
    text + "</PhoronixTestSuite>\n"
}
