import { StudioError } from '../../kernel'
import type { ConsoleHandler } from '../console-call'
import { readForm, requireOwnForm } from '../forms/form'
import { mailedLinkForm } from '../forms/sign-in-form'
import { html } from '../html'
import { goTo } from './sign-in'

const SENT_PAGE = '/console/sign-in/mail'

/** Sends a link to a person. The answer does not wait for the mail, so that neither its text nor its time shows whether the address is known. */
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
    title: 'Check your mail',
    section: null,
    body: html`<h1>Check your mail</h1>
<p>If this service knows your address, a mail with a link is on its way. The link works once, within 15 minutes.</p>
<p>If no mail arrives, ask an administrator which address is registered, or <a href="/console/sign-in">try again</a>.</p>`,
  })

/**
 * The page that a mail links to. It signs in when its button is pressed, because mail servers open the links of a mail to check them, and
 * because a link that someone else has sent must not sign a browser in by itself.
 */
export const mailedLinkPage: ConsoleHandler = (call) =>
  call.page({
    title: 'Sign in',
    section: null,
    body: html`<h1>Sign in</h1>
${mailedLinkForm()}`,
  })
