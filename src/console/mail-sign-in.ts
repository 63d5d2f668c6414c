import { StudioError } from '../kernel'
import type { ConsoleHandler } from './console-call'
import { readForm, requireOwnForm } from './forms/form'
import { html } from './html'
import { goTo } from './sign-in'

const SENT_PAGE = '/console/sign-in/mail'

/** Sends a link to a person. The answer is the same, and comes as fast, whether there is one with this address. */
export const requestLink: ConsoleHandler = async (call) => {
  const { c, options } = call
  requireOwnForm(call)
  const { mailLinks, caller, log } = options
  if (mailLinks === null)
    throw new StudioError('not_found', 'No mail server is set up to send links.', {
      hint: 'Set smtp.url, smtp.from and serve.publicUrl, and start the service again.',
    })
  const { email } = await readForm(call)
  const address = await caller.takeLinkRequest(c.env.call, email)
  if (address !== null)
    void mailLinks.send(address).catch((cause) => log.error('a link to sign in could not be created', { cause }))
  return goTo(call, SENT_PAGE)
}

export const linkSentPage: ConsoleHandler = (call) =>
  call.page({
    title: 'Look into your mail',
    section: null,
    body: html`<h1>Look into your mail</h1>
<p>If your address is one of this service, a mail with a link is on its way. The link works once, in the next 15 minutes.</p>
<p>Nothing came? Ask an administrator whether your address is right, or <a href="/console/sign-in">try again</a>.</p>`,
  })
