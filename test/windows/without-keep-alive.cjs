// Wine 8 knows no interval for TCP's keep-alive, so each connection that asks for one would fail, as those of `fetch` do.
process.binding('tcp_wrap').TCP.prototype.setKeepAlive = () => 0
