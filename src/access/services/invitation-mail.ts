import { escapeHtml } from '../../kernel/text/text'
import type { Mail } from '../../mail'
import { DEFAULT_TENANT } from './tenants'

/** The page of the portal that a link opens. The secret is after `#`, where no server, log or mail scanner sends it. */
export function formatPortalLink(publicUrl: string | null, secret: string): string {
  return `${publicUrl ?? ''}/portal/sign-in#${secret}`
}

/** The mail with a link to the portal. `works` says how long. */
export function composePortalMail({
  tenant,
  carrier,
  link,
  works,
}: {
  tenant: string
  carrier: string
  link: string
  works: string
}): Mail {
  const subject = `Book dock appointments for ${carrier}`
  const place = tenant === DEFAULT_TENANT ? '' : ` at ${tenant}`
  const lead = `With this link, ${carrier} sees and books its own dock appointments${place}:`
  const about = `The link works once, ${works}. Do not forward it: anyone who opens it acts for ${carrier}. If you did not expect it, ignore this mail.`
  return {
    subject,
    text: `${lead}\n\n${link}\n\n${about}\n`,
    html: `<p>${escapeHtml(lead)}</p><p><a href="${escapeHtml(link)}">Open the portal</a></p><p>${escapeHtml(about)}</p>`,
    invitation: null,
  }
}
