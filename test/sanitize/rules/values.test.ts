import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSecrets } from '../../../src/sanitize/rules/redact/find-secrets'
import { fromHtml, fromLine, fromMarkdown } from './context'
import { addresses, commands, encoded, inProse, values } from './secret-examples'

const MARK = '[secret removed]'

describe('the whole value is removed, and nothing else', () => {
  it.each(Object.entries({ ...values, ...addresses, ...commands, ...encoded }))('%s', (_of, { text, secret }) => {
    const fence = (content: string) => `\`\`\`\`\n${content}\n\`\`\`\``
    const expected = fence(text.replace(secret, MARK)).replaceAll('````', '```')
    const { markdown } = fromMarkdown(fence(text))
    expect(markdown).toBe(expected)
    expect(fromMarkdown(markdown)).toEqual({ markdown, removed: [] })
  })

  it.each(Object.entries({ ...inProse, ...addresses }))('%s, in prose', (_of, { text, secret }) => {
    const expected = text.replace(secret, MARK)
    expect(fromLine(text).text).toBe(expected)
    expect(fromLine(expected)).toEqual({ text: expected, removed: [] })
  })

  it('from each item of a list', () => {
    const list = (one: string, two: string) => `{"passwords": ["${one}", "${two}"], "name": "bob1!"}`
    expect(fromLine(list('Hk29dLq81z', 'it\\"s2')).text).toBe(list(MARK, MARK))
    const sequence = (one: string, two: string) =>
      `\`\`\`\npasswords:\n    - ${one}\n    - '${two}'\nuser: bob1!\n\`\`\``
    expect(fromMarkdown(sequence('Hk29dLq81z', 'tulips')).markdown).toBe(sequence(MARK, MARK))
  })

  it('from a list in prose', () => {
    expect(fromLine('passwords: Hk29dLq81z, Dd29dLq81z and Ee29dLq81z').text).toBe(
      `passwords: ${MARK}, ${MARK} and ${MARK}`,
    )
    // The second time, a mark is in place of the next item.
    const { text } = fromLine('Passwords: argon2id, bcrypt12 and scrypt are supported.')
    expect(fromLine(text)).toEqual({ text, removed: [] })
  })

  it.each([
    ['<sonar.password>Hk29dLq81z</sonar.password>', `<sonar.password>${MARK}</sonar.password>`],
    ['<entry key="jdbc.password">Hk29dLq81z</entry>', `<entry key="jdbc.password">${MARK}</entry>`],
    ['<wsse:Password Type="x">tulips</wsse:Password>', `<wsse:password>${MARK}</wsse:password>`],
    ['<key>DBPassword</key> <string>Hk29dLq81z</string>', `<key>DBPassword</key> <string>${MARK}</string>`],
    [
      '<property name="password"><value>tulips</value></property>',
      `<property name="password"><value>${MARK}</value></property>`,
    ],
    ['put your <token> there', 'put your <token> there'],
  ])('from settings that HTML has as elements: %s', (html, expected) => {
    const { markdown } = fromHtml(`<div>${html}</div>`)
    expect(markdown.replaceAll('\\', '')).toBe(expected)
    expect(fromMarkdown(markdown)).toEqual({ markdown, removed: [] })
    const large = fromHtml(html + '<p>yard</p>'.repeat(60_000)).markdown
    expect(large).not.toMatch(/Hk29dLq81z|tulips/)
  })

  it('from a private calendar, as a secret', () => {
    const address = Object.keys(encoded).find((text) => text.includes('calendar.google'))
    expect(fromHtml(`<a href="${address}">${address}</a>`)).toEqual({
      markdown: MARK,
      removed: [{ kind: 'token', count: expect.any(Number) }],
    })
  })

  it('from a paragraph, which has lost its backslashes and indentation', () => {
    expect(fromMarkdown('{"password": "Ab\\"cd81kkdm", "x": 1}').markdown).toBe(`{"password": "${MARK}", "x": 1}`)
    expect(fromMarkdown('password: |\n  Hk29dLq81z\nuser: bob').markdown).toBe(`password: |\n${MARK}\nuser: bob`)
  })
})

describe('a value that is only a placeholder for the real one stays', () => {
  it.each([
    ...[
      'PASSWORD=$PASSWORD',
      `PASSWORD=${'$'}{X}`,
      'PASSWORD="$PASSWORD"',
      `url=${'$'}{A}, password=${'$'}{B}-${'$'}{C}`,
    ],
    ...['password: {{x}}', 'password: {{ vault.password1 }}', `password: ${'$'}{{ secrets.DB_PASSWORD_2 }}`],
    ...['password: <password>', 'password: <your password here>', 'password=%PASS%', 'password=%TEST_PWD_2%'],
    ...['password=***', 'password: ……', 'Pwd={password};', 'Pwd={0};', 'password = {db_password2}'],
    ...['password: [your password]', 'password: [REDACTED]', 'password: @DbPassword', 'PASSWORD=__DB_PASSWORD__'],
    ...['password = $(cat /run/secrets/db2)', 'password => $this->password', 'password: #{password2}'],
    ...['curl -u bob:$TOKEN x', 'mysql -p$MYSQL_PWD x', 'zip -P <password> a', 'tool --password %PASS% x'],
    ...[
      '<password>$[[x1]]</password>'.replace('$[[x1]]', '$' + '{db.password1}'),
      '<entry key="password">{{x1}}</entry>',
    ],
    ...[
      'secret: Buffer,',
      'secret = config',
      'password: {{vault.db2["pass"]}}',
      'map(password -> hash2)',
      'user->password->hash2',
    ],
    ...['pass: yes', 'second pass: tulips', 'boarding pass: tulips', 'secret: none', 'passwords: never stored'],
    ...['password: {"type": "string"}', 'password: {type: String}', 'snowflake.password=\njdbc.url=x1y2z3!'],
    ...['passwords: [required, hashed]', '"password": ["required", "string"]', 'password=[^&]*'],
    ...['"auth": "none"', 'kind: SecretStore\ndata:\n  a: b', 'UserSecretsId: 79a3edd0-2092-40a2-a04d-dcb46d5ca9ed'],
  ])('%s', (text) => {
    const code = `\`\`\`\n${text}\n\`\`\``
    expect(fromMarkdown(code)).toEqual({ markdown: code, removed: [] })
  })
})

it('values of arbitrary characters are removed as each language writes them', () => {
  const value = fc.string({ unit: fc.constantFrom(...'ab1!"\'\\`;,{}<>#$&'), minLength: 3, maxLength: 12 })
  const writers: Record<string, (value: string) => string> = {
    json: (text) => `{"user": "bob", "password": ${JSON.stringify(`Hk29${text}z`)}, "x": 1}`,
    nested: (text) => JSON.stringify({ body: JSON.stringify({ password: `Hk29${text}z`, x: 1 }) }),
    twice: (text) => JSON.stringify(JSON.stringify(JSON.stringify({ password: `Hk29${text}z` }))),
    yaml: (text) => `password: '${`Hk29${text}z`.replaceAll("'", "''")}'\nx: 1`,
    block: (text) => `password: |\n  Hk29${text}z\nx: 1`,
    xml: (text) => `<db.password>Hk29${text.replace(/[<&]/g, 'x')}z</db.password>`,
  }
  fc.assert(
    fc.property(value, fc.constantFrom(...Object.keys(writers)), (text, language) => {
      // YAML ends the string at the second mark of `\\''`, other languages at the third.
      fc.pre(language !== 'yaml' || !text.includes("\\'"))
      const written = writers[language]!(text)
      const found = findSecrets({ text: written, isCode: () => true })
      const left = found.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), written)
      const empty = writers[language]!('')
      expect(left.length).toBeLessThanOrEqual(empty.length - 'Hk29z'.length)
      expect(left).not.toMatch(/Hk29/)
    }),
    { numRuns: 600 },
  )
})
