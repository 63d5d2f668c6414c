// Wine 8 knows no interval for TCP's keep-alive, so each connection that asks for one would fail, as those of `fetch` do.
const { noDeprecation } = process
// Tests may forbid the deprecated call, which only they need.
process.noDeprecation = true
try {
  process.binding('tcp_wrap').TCP.prototype.setKeepAlive = () => 0
} catch (error) {
  // The permission model forbids the call. Its tests open no connection.
  if (error.code !== 'ERR_ACCESS_DENIED') throw error
}
process.noDeprecation = noDeprecation
