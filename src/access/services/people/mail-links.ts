import type { Context, Log } from '../../../kernel'
import type { MailServer } from '../../../mail'
import type { Database } from '../../../storage'
import { findPerson } from '../../queries/people'
import { listMemberships } from '../../queries/staff'
import { getPersonName } from '../../schemas'
import { createMailedLink } from '../console-sessions'
import { composePortalMail, formatPortalLink } from '../invitation-mail'
import { createRequestedLinks } from '../portal-sessions'

/** Sends links that sign people in. */
export interface MailLinks {
  /** Sends a link if the address is that of a person or of a member of a staff. It resolves in both cases. */
  send(email: string): Promise<void>
  /** Sends a link to the portal for each live invitation of the address. */
  sendToCarrier(email: string): Promise<void>
  close(): void
}

export function createMailLinks({
  server,
  publicUrl,
  log,
  ...parts
}: { db: Database; server: MailServer; publicUrl: string; log: Log } & Pick<Context, 'clock' | 'ids'>): MailLinks {
  return {
    async send(email) {
      const link = await parts.db.write(async (tx) => {
        const person = await findPerson(tx, email)
        const [member] = await listMemberships(tx, email, parts.clock.now())
        const name = person ? getPersonName(person) : member?.name
        return name === undefined ? null : createMailedLink(parts, tx, { email, name, role: person?.role ?? null })
      })
      if (link === null) return
      const mail = composeMail(`${publicUrl}/console/sign-in/link#${link.secret}`)
      const failure = await server.send(email, mail, { senderName: 'studio', id: `sign-in-${link.id}` })
      if (failure !== null) log.warn('a link to sign in could not be sent', { reason: failure })
    },
    async sendToCarrier(email) {
      const links = await parts.db.write((tx) => createRequestedLinks(parts, tx, email))
      for (const { invitation, secret } of links) {
        const { id, tenant, carrier_name: carrier } = invitation
        const mail = composePortalMail({
          tenant,
          carrier,
          link: formatPortalLink(publicUrl, secret),
          works: 'within 15 minutes',
        })
        const failure = await server.send(email, mail, { senderName: 'studio', id: `portal-${id}-${parts.ids.uuid()}` })
        if (failure !== null) log.warn('a link to the portal could not be sent', { reason: failure })
      }
    },
    close: () => server.close(),
  }
}

function composeMail(link: string) {
  const about = 'The link works once, within 15 minutes. If you did not request it, ignore this mail.'
  return {
    subject: 'Sign in to studio',
    text: `Open this link to sign in:\n\n${link}\n\n${about}\n`,
    // The secret is made of letters and digits, and the address comes from the settings of the service.
    html: `<p><a href="${link}">Sign in to studio</a></p><p>${about}</p>`,
    invitation: null,
  }
}
