import { describe, expect, it } from 'vitest'
import { counts, fromHtml, fromLine, fromMarkdown } from './context'
import { fake, HEX, password, privateKey, tokens } from './fake-secrets'

const MARK = '[secret removed]'
const kept = (text: string) => expect(fromLine(text)).toEqual({ text, removed: [] })

describe('tokens with a known format', () => {
  it.each(Object.entries(tokens))('%s', (_of, token) => {
    expect(fromLine(`use ${token}, then go on`).text).toBe(`use ${MARK}, then go on`)
    expect(fromHtml(`<pre>KEY="${token}"</pre>`).markdown).toBe(`\`\`\`\nKEY="${MARK}"\n\`\`\``)
  })

  it.each(['tracker, 52 characters', 'tracker, 84 characters', 'AWS key id', 'Azure storage', 'NuGet', 'Twilio'])(
    '%s is not found inside a word',
    (of) => kept(`x${tokens[of]}x`),
  )
})

describe('passwords and keys after a label', () => {
  it.each([
    [`DB_PASS=${password}`, `DB_PASS=${MARK}`],
    [`GET /api/x?a=1&amp;code=${fake('', 54)}`, `GET /api/x?a=1&amp;code=${MARK}`],
    [`see https%3A%2F%2Fx.example%2F%3Ftoken%3D${fake('', 40)} there`, `see ${MARK} there`],
    [`see https%253A%252F%252Fhooks.slack.com%252Fservices%252FT01%252FB01%252F${fake('', 24)}`, `see ${MARK}`],
  ])('%s', (text, expected) => {
    expect(fromLine(text).text).toBe(expected)
    expect(fromLine(expected)).toEqual({ text: expected, removed: [] })
  })

  it('removes the key of a serverless function from a link', () => {
    expect(fromMarkdown(`[x](https://f.example/api?code=${fake('', 54)}&page=2)`).markdown).toBe(
      '[x](https://f.example/api?page=2)',
    )
    expect(fromMarkdown('[x](https://f.example/api?code=SUMMER)').markdown).toBe(
      '[x](https://f.example/api?code=SUMMER)',
    )
  })

  it.each([
    ['AWS_SESSION_TOKEN=', 800, ''],
    ['token="', 450, '"'],
    ["password='", 450, "'"],
    ['password: ', 700, ''],
    ['client-key-data: ', 900, ''],
    ['Authorization: Bearer ', 900, ''],
    ['curl -u bob:', 400, ''],
    ['<password>', 400, '</password>'],
    ["IDENTIFIED BY '", 400, "'"],
    ['postgres://', 400, '@db.example'],
  ])('removes the whole value of any length after %s', (before, length, after) => {
    const user = before.startsWith('postgres') ? 'app:' : ''
    expect(fromLine(`${before}${user}${fake('', length)}${after}`).text).toBe(`${before}${MARK}${after}`)
  })

  it('treats a word of letters as a password at the end of its line', () => {
    expect(fromHtml('<p>Password: Summertime<br>Door 4</p>').markdown).toBe(`Password: ${MARK}\\\nDoor 4`)
  })

  it('removes a phrase of a wallet that has words of sentences', () => {
    const words = 'tulip every raven once lunar oval meadow cabin ginger piano velvet acorn'
    expect(fromLine(`Seed phrase: ${words}`).text).toBe(`Seed phrase: ${MARK}`)
  })

  it.each([
    ['api_key', '='],
    ['X-Api-Key', ': '],
    ['"client_secret"', ': '],
    ['accessToken', ' = '],
    ['AccountKey', '='],
    ['SharedAccessKey', '='],
  ])('%s%s…', (label, sign) => {
    const key = fake('', 24)
    expect(fromLine(`${label}${sign}${key}`).text).toBe(`${label}${sign}${MARK}`)
  })

  it.each([
    'Password: required',
    'Test pass: 100%, second pass: TC-104',
    'boarding pass: ask at the gate',
    'password policy, password SHA256, password reset2',
    'Cookie: ask for consent first',
    'uses: actions/checkout@v4 and org/app@main',
    'mysql -p orders',
    'setx DB_PASS %PASSWORD% /M',
    'setx PATH tulips and setx DB_USER bob',
    'setenv SORT_KEY title, setx COMPASS north',
    'set -e and token refresh',
    'map/week: 12, p/world: 3',
    'password：required',
    'ratio 3：4, path：/x1/abcdefgh',
    'Password: must be at least 8 characters',
    'Password: 12-16 characters',
    'password is case-sensitive and hidden',
    `Password: ${'$'}{DB_PASSWORD}`,
    'Password: <your password>',
    'password: ********',
    'password=%PWD%',
    'Forgot password? Reset it.',
    'token: refresh token expires after an hour',
    'API key: ask the vendor',
    'Primary key: OrderId123',
    'secret: none',
    'Client secret: rotated',
    'Bearer token authentication',
    'let password = getPassword();',
    'password = getpass.getpass()',
    'password: process.env.DB_PASS',
    'password: this.config.password',
    'password = os.environ["DB_PASS"]',
    'password -> required, password → hash',
    'pass -> fail',
    'pass: failed',
    'second pass: fine, third pass: TC-104',
    'passwords: one, two and three',
    'passphrase: at least four words of the list',
    'Backup phrase: shown once after setup',
    'The pass phrase is checked twice before saving.',
    '| password | required |',
    'password=a b; c',
    'path: /x1/abcdefgh',
    'keyboard: qwerty12345',
    'ratio 3:4, at 10:30, a = b',
    'https://example.org:8080/a@b',
    'git commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
    `integrity sha512-${fake('', 86)}==`,
    '8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d',
  ])('keeps text about secrets: %s', kept)

  it.each([
    'const token: string = await getToken()',
    'password = process.env.DB_PASSWORD1',
    'pwd: config.pwd2',
    'password: z.string()',
  ])('keeps code that reads a secret from elsewhere: %s', (code) => {
    expect(fromMarkdown(`\`${code}\``)).toEqual({ markdown: `\`${code}\``, removed: [] })
  })
})

describe('private keys', () => {
  const lines = [
    ['PuTTY-User-Key', 'File-2: ssh-rsa'].join('-'),
    'Encryption: none',
    'Comment: key of bob',
    'Public-Lines: 2',
    fake('', 64),
    `${fake('', 20)}==`,
    'Private-Lines: 2',
    fake('', 64),
    fake('', 64),
  ]
  const check = `Private-MAC: ${fake('', 40, HEX)}`

  it('are removed from PuTTY files, with and without their end', () => {
    const fence = (text: string) => `\`\`\`\n${text}\n\`\`\``
    expect(fromMarkdown(fence([...lines, check, 'after'].join('\n'))).markdown).toBe(fence(`${MARK}\nafter`))
    expect(fromLine([...lines, check, 'after'].join('\n')).text).toBe(`${MARK} after`)
    expect(fromMarkdown(fence([...lines, '', '# after'].join('\n'))).markdown).toBe(fence(`${MARK}\n\n# after`))
  })

  it('are removed from several lines, from one line, and without an end', () => {
    expect(fromMarkdown(`a\n\n${privateKey.join('\n')}\n\nb`).markdown).toBe(`a\n\n${MARK}\n\nb`)
    expect(fromLine(`"${privateKey.join('\\n')}\\n"`).text).toBe(`"${MARK}\\n"`)
    expect(fromMarkdown(`${privateKey.slice(0, -1).join('\n')}\n\nand more`).markdown).toBe(`${MARK}\n\nand more`)
  })

  it('do not include the text after a header that is only mentioned', () => {
    const begin = privateKey[0] ?? ''
    expect(fromLine(`A line ${begin} must be masked in logs`).text).toBe(`A line ${MARK} must be masked in logs`)
  })

  it('do not include a public key or certificate', () => {
    kept('-----BEGIN CERTIFICATE----- MIIB -----END CERTIFICATE-----')
  })
})

it('finds a secret that formatting splits', () => {
  const token = tokens['GitHub'] ?? ''
  expect(fromHtml(`<p>${token.slice(0, 9)}<b>${token.slice(9, 20)}</b>${token.slice(20)}</p>`).markdown).toBe(MARK)
  expect(fromHtml(`<p><b>Password</b>: <i>${password.slice(0, 3)}</i>${password.slice(3)}</p>`).markdown).toBe(
    `**Password**: *${MARK}*`,
  )
  expect(fromHtml(`<p>${token.slice(0, 9)}<wbr>\u200b${token.slice(9)}</p>`).markdown).toBe(MARK)
})

describe('a password with a separate label', () => {
  it.each([
    ['in the cell before', `| URL | x |\n| --- | --- |\n| Password | ${password} |`],
    ['in the cell before, in the first row', `<table><tr><td>Password:</td><td>${password}</td></tr></table>`],
    [
      'at the head of the column',
      `| User | Test password | Role |\n| --- | --- | --- |\n| a | b |\n| bob | ${password} | x |`,
    ],
    ['as a heading', `### Password\n\n${password}`],
    ['as a term', `<dl><dt>Password</dt><dd>${password}</dd></dl>`],
    ['in the list above', `- Password\n  - ${password}`],
  ])('%s', (_where, text) => {
    const { markdown, removed } = fromMarkdown(text)
    expect(markdown).toContain(MARK)
    expect(markdown).not.toContain(password)
    expect(counts(removed)).toEqual({ password: 1 })
    expect(fromMarkdown(markdown)).toEqual({ markdown, removed: [] })
  })

  it.each([
    '| Field | Password |\n| --- | --- |\n| Required | yes |\n| Length | 8-16 |\n| Default | (none) |\n| Hint | see <https://example.org/1> |',
    '| Password | must have 8 signs |\n| --- | --- |\n| Reset password | TC-104 |',
    '- username\n- password\n- address1',
    '# Password\n\nReset2 is sent by mail.',
  ])('keeps text about passwords: %s', (text) => {
    expect(fromMarkdown(text)).toEqual({ markdown: text, removed: [] })
  })
})

it('removes a token from the language of a code block', () => {
  const token = tokens['GitHub'] ?? ''
  for (const { markdown, removed } of [
    fromMarkdown(`\`\`\`${token}\nx\n\`\`\``),
    fromHtml(`<pre><code class="language-${token}">x</code></pre>`),
  ]) {
    expect(markdown).toBe('```\nx\n```')
    expect(counts(removed)).toEqual({ token: 1 })
  }
  const large = 'x'.repeat(200_000)
  expect(fromMarkdown(`\`\`\`${token}\n${large}\n\`\`\``).markdown).toBe(`\`\`\`\n${large}\n\`\`\``)
})

it('finds secrets and people in nested addresses', () => {
  const inner = encodeURIComponent(encodeURIComponent(`https://bob:${password}@b.example`))
  expect(fromMarkdown(`[x](https://a.example/?next=${inner}&page=2)`).markdown).toBe('[x](https://a.example/?page=2)')
  const person = encodeURIComponent(encodeURIComponent(`https://b.example/?for=jane@contoso.com`))
  expect(fromMarkdown(`[x](https://a.example/?url=${person})`).markdown).toBe('[x](https://a.example/)')
})

it('counts several tokens in one line', () => {
  const { text, removed } = fromLine(
    `${tokens['npm']} ${fake('', 52, 'abcdefghijklmnopqrstuvwxyz234567')} dapi${fake('', 32, HEX)}`,
  )
  expect(text).toBe(`${MARK} ${MARK} ${MARK}`)
  expect(counts(removed)).toEqual({ token: 3 })
})

it('removes a function key from a link whose parameters are joined by &amp;', () => {
  const key = fake('', 40)
  expect(fromMarkdown(`https://x.example/api/f?x=1&amp;code=${key}`).markdown).not.toContain(key)
})

it('keeps an encoded address without a secret', () => kept('see https%3A%2F%2Fdocs.example%2Fguide%3Ftab%3Dwindows'))
