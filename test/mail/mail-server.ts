import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

interface ReceivedMail {
  to: string[]
  headers: Record<string, string>
  subject: string
  /** All parts, decoded. */
  text: string
  /** Those that the HTML shows, by their names. */
  pictures: Record<string, Buffer>
}

/** A mail server on this machine. `refuse` returns the status of a refusal, or null; it can take a while. */
export async function startMailServer(
  refuse: (to: readonly string[]) => number | null | Promise<number | null> = () => null,
) {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      password === 'secret' ? done(null, { user: username }) : done(new Error('wrong password')),
    authOptional: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        const responseCode = await refuse(to)
        if (responseCode !== null) return done(Object.assign(new Error('try again later'), { responseCode }))
        received.push(parseMail(Buffer.concat(chunks).toString(), to))
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { received, url: (login = '') => `smtp://${login}127.0.0.1:${port}` }
}

function parseMail(source: string, to: string[]): ReceivedMail {
  const [head, ...bodies] = source.split(/\r\n\r\n/)
  const lines = head!.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const subject = headers['Subject']!.replace(/=\?UTF-8\?Q\?(.*?)\?=\s*/g, (_, coded: string) =>
    decodeURIComponent(coded.replaceAll('_', ' ').replaceAll('=', '%')),
  )
  const decode = (body: string) =>
    /^[A-Za-z0-9+/=\r\n]+(\r\n--|$)/.test(body)
      ? Buffer.from(body.split('\r\n--')[0]!, 'base64').toString()
      : decodeQuoted(body)
  return { to, headers, subject, text: bodies.map(decode).join('\n'), pictures: findPictures(source) }
}

function findPictures(source: string): Record<string, Buffer> {
  const parts = source.matchAll(
    /Content-Type: image\/png;[\s\S]*?Content-Id: <([^>]+)>[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/gi,
  )
  return Object.fromEntries([...parts].map(([, name, body]) => [name, Buffer.from(body!, 'base64')]))
}

const decodeQuoted = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
