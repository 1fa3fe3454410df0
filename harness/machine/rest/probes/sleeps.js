// Sleeps and waits, and says how long each took on its own clock.
const timers = require('timers/promises');

async function tell(what, act) {
  const began = process.hrtime.bigint();
  await act();
  console.log(what, String(process.hrtime.bigint() - began));
}

(async () => {
  await tell('sleep', () => timers.setTimeout(1500));
  await tell('wait', async () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250));
  await tell('minute', () => timers.setTimeout(60000));
})();
