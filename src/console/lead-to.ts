import { type ConsoleCall, isFromScript } from './console-call'
import { html } from './html'
import { PAGE_HEADERS } from './layout'

/** Leads on by a page of ours: browsers send strict cookies with the request after it, and apply no rule for forms to it. */
export function leadTo(call: Pick<ConsoleCall, 'c'>, address: string): Response {
  if (isFromScript(call)) return call.c.json({ location: address })
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>studio</title>
<meta http-equiv="refresh" content="0;url=${address}"></head><body><a href="${address}">Continue</a></body></html>`
  return call.c.body(String(page), 200, PAGE_HEADERS)
}
