import type { Transporter } from 'nodemailer'
import { type Finding, ok, warning } from '../kernel/finding'
import { isLoopbackHost } from '../kernel/loopback'
import { parseMailbox } from '../kernel/text/mailbox'
import { FairQueue } from '../kernel/work/fair-queue'

/** The mail server of the settings. */
export interface MailSettings {
  /** `smtps://user:password@mail.example.com`, or `smtp://` for a connection that is encrypted by STARTTLS. */
  readonly url: string | null
  /** The sender, as an address or as `Docks <docks@example.com>`. Reading an invalid one throws. */
  readonly from: string | null
}

/** A mail to one address. */
export interface Mail {
  subject: string
  text: string
  html: string
  /** An event for the calendar of the reader; null for none. */
  invitation: { method: string; content: string } | null
  /** A picture that the HTML shows as `cid:` and its name. */
  picture?: { name: string; png: Uint8Array } | null
}

export interface MailServer {
  /** Sends a mail once. Returns null if the mail server accepted it, or else why it did not. `id` is the same if it is sent again. */
  send(to: string, mail: Mail, options: { senderName: string; id?: string }): Promise<string | null>
  close(): void
}

/** Mail servers accept few connections from one client. */
const MAX_CONNECTIONS = 5

/** Shorter than the time that `studio doctor` gives each server. */
const TIMEOUT_MS = 8_000

/** Why no mail can be sent; null if it can. */
export function refuseMail({ url, from }: MailSettings): string | null {
  if (url === null) return 'no mail server is set (STUDIO_SMTP_URL)'
  return from === null ? 'no sender is set (STUDIO_SMTP_FROM)' : null
}

/** The name is that of the settings, or else the given one. */
export function getSender({ from }: MailSettings, name: string): { name: string; address: string } {
  const sender = parseMailbox(from!)!
  return { name: sender.name ?? name, address: sender.address }
}

/** Connects when the first mail is sent. Recipients take turns, so that many mails to one of them do not delay those to others. */
export function openMailServer(settings: MailSettings): MailServer {
  let transport: Promise<Transporter> | null = null
  const waiting = new FairQueue<() => void>()
  let free = MAX_CONNECTIONS
  const takeTurn = (to: string) =>
    new Promise<void>((begin) => {
      if (free === 0) return waiting.add(to, begin)
      free -= 1
      begin()
    })
  const endTurn = () => {
    const next = waiting.takeNext()
    if (next) next()
    else free += 1
  }
  return {
    async send(to, { invitation, picture, ...texts }, { senderName, id }) {
      const refusal = refuseMail(settings)
      if (refusal !== null) return refusal
      await takeTurn(to)
      try {
        transport ??= openTransport(settings.url!)
        const open = await transport
        await open.sendMail({
          ...texts,
          headers: { 'Auto-Submitted': 'auto-generated' },
          from: getSender(settings, senderName),
          to: { name: '', address: to },
          ...(id !== undefined && { messageId: `<${id}@studio>` }),
          ...(invitation && {
            icalEvent: { method: invitation.method, filename: 'appointment.ics', content: invitation.content },
          }),
          ...(picture && {
            attachments: [
              {
                cid: picture.name,
                filename: picture.name,
                content: Buffer.from(picture.png),
                contentType: 'image/png',
              },
            ],
          }),
          // It closes the connection of this mail. The others go on.
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        return null
      } catch (error) {
        return describeFailure(error)
      } finally {
        endTurn()
      }
    },
    close: () => void transport?.then((open) => open.close()).catch(() => {}),
  }
}

/** Whether the mail server accepts a connection and the login. Returns null if it does, or else why it does not. */
async function checkMailServer(settings: MailSettings): Promise<string | null> {
  const refusal = refuseMail(settings)
  if (refusal !== null) return refusal
  const transport = await openTransport(settings.url!)
  try {
    await transport.verify()
    return null
  } catch (error) {
    return describeFailure(error)
  } finally {
    transport.close()
  }
}

async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const { protocol, hostname, port, username, password } = new URL(url)
  const isSecure = protocol === 'smtps:'
  const hasLogin = username !== ''
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    // A password is sent over an encrypted connection only.
    requireTLS: hasLogin && !isLoopbackHost(hostname),
    ...(hasLogin && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

const MAX_REPLY_LENGTH = 200

function describeFailure(error: unknown): string {
  const { name, code, response, message } = error as { name: string; code?: string; response?: string; message: string }
  if (['AbortError', 'TimeoutError'].includes(name))
    return `the mail server did not answer within ${TIMEOUT_MS / 1000} seconds`
  if (code === 'EAUTH') return 'the mail server refused the login'
  if (response) return `the mail server refused it: ${response.slice(0, MAX_REPLY_LENGTH)}`
  return `the mail server could not be reached: ${code ?? message}`
}

/** Checks the mail server for `studio doctor`, if one is set. */
export async function inspectMailServer(settings: MailSettings, offline: boolean): Promise<Finding[]> {
  if (settings.url === null) return []
  const { host } = new URL(settings.url)
  if (offline) return [ok('mail', `${host}; not checked (--offline).`)]
  const failure = await checkMailServer(settings)
  if (failure === null) return [ok('mail', `${host} accepts mails from ${settings.from}.`)]
  return [
    warning('mail', `Mails cannot be sent through ${host}: ${failure}.`, 'Check STUDIO_SMTP_URL and STUDIO_SMTP_FROM.'),
  ]
}
