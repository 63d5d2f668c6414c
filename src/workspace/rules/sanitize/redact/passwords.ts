import { type Finding, findAll, findWithin, type Passage, runsWith } from './finding'
import { findPasswordCells } from './password-cells'
import { PASSWORD_LABEL } from './password-label'
import { isSecretValue } from './secret-value'

const TOKEN_LABEL =
  'secret(?:[_ -]?access)?(?:[_ -]?key)?|(?:api|access|account|master|encryption|signing|subscription|shared[_ -]?access)[_ -]?key|token|credential|(?<![a-z])(?:pat|sig)'

/** What may stand between a label and its value: `password for the test user : "`, `"password" => '`. */
const BETWEEN = `(?:\\s(?:for|of)\\s[^\\n:=]{1,40}?)?["'\`]?\\s{0,3}(?<sign>[:=]|=>|:=|\\bis\\b|\\s=\\s)\\s{0,3}`

/** A value in quotes, or up to the next blank or sign that ends one; never a mark. */
const VALUE = `(?:"(?<double>[^"\\n]{1,300})"|'(?<single>[^'\\n]{1,300})'|\`(?<tick>[^\`\\n]{1,300})\`|(?<bare>(?:(?!\\[secret removed\\])[^\\s"'\`<>;]){1,300}))`

const LABELLED = new RegExp(`(?<label>(?<password>${PASSWORD_LABEL})|${TOKEN_LABEL})${BETWEEN}${VALUE}`, 'dgiu')

/** The rest of the forms say by themselves that a secret follows. */
const forms: readonly { hint: string; pattern: RegExp }[] = [
  // Authorization: Basic dXNlcjpwYXNz, Bearer …
  { hint: 'authorization', pattern: /authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:\w{1,20} )?(?<it>[\w+/=.~-]{8,})/dgi },
  { hint: 'bearer', pattern: /\bbearer\s{1,3}(?<it>(?=[\w+/.~-]{0,200}\d)[\w+/=.~-]{16,})/dgi },
  // --password hunter2, curl -u user:password
  {
    hint: '--',
    pattern: /--(?:password|passwd|pass|pwd|token|api-key|secret)[= ]["']?(?<it>[^\s"'[\]<>-][^\s"'[\]<>]{2,})/dgi,
  },
  {
    hint: 'curl',
    pattern: /\bcurl(?:\s[^\n]{0,400}?)?\s(?:-u|--user)\s{0,3}["']?[\w.@\\-]{1,64}:(?<it>[^\s"'[\]]{2,200})/dgi,
  },
  // <password>…</password>, <add key="Password" value="…"/>
  {
    hint: '</',
    pattern: /<(?:\w{1,20}:)?\w{0,30}(?:password|pwd|secret|token|apikey)[^<>]{0,100}>(?<it>[^<>[\]\n]{2,300})<\//dgi,
  },
  {
    hint: 'value=',
    pattern: /["'][\w.:-]{0,40}(?:password|pwd|secret|token|api_?key)["']\s{1,3}value=["'](?<it>[^"'[\]\n]{2,300})/dgi,
  },
  // User / password: bob / hunter2
  { hint: 'user', pattern: /user\w{0,8}\s?\/\s?pass\w{0,8}\s?[:=]\s?[^\s/]{1,60}\s?\/\s?(?<it>[^\s/[\]]{3,100})/dgi },
  // IDENTIFIED BY '…', ConvertTo-SecureString "…"
  { hint: 'identified by', pattern: /identified by\s{1,3}["'](?<it>[^"'[\]\n]{1,200})["']/dgi },
  {
    hint: 'securestring',
    pattern: /convertto-securestring\s{1,3}(?:-string\s{1,3})?["'](?<it>[^"'[\]$\n]{1,200})["']/dgi,
  },
  // A shared access signature.
  { hint: 'sig=', pattern: /[?&;]sig=(?<it>[\w%+/=-]{20,})/dgi },
]

/** scheme://user:password@host; of the databases and brokers also with a slash in the password. */
const URL_PASSWORDS = [
  /(?<![a-z0-9])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/?#"'<>]{0,100}:(?<it>(?!\[secret removed\]@)[^\s/"'<>]{1,200})@(?=[\w[.-])/dgi,
  /(?<![a-z0-9])(?:postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|oracle|jdbc:\w{1,12})(?:\+\w{1,10})?:\/\/[^\s:@/?#"'<>]{0,100}:(?<it>(?!\[secret removed\]@)[^\s"'<>]{1,200})@(?=[\w.-])/dgi,
]

/** Passwords and keys that are known by what stands before them, not by their form. */
export function findPasswords(passage: Passage): Finding[] {
  const { text } = passage
  const lower = text.toLowerCase()
  const addresses = runsWith(text, '://').filter((run) => run.text.includes('@'))
  return [
    ...URL_PASSWORDS.flatMap((pattern) => findWithin(addresses, pattern, 'password')),
    ...forms.flatMap(({ hint, pattern }) => (lower.includes(hint) ? findAll(text, pattern, 'password') : [])),
    ...findLabelled(passage),
    ...findPasswordCells(passage),
  ]
}

function findLabelled({ text, isCode }: Passage): Finding[] {
  const findings: Finding[] = []
  LABELLED.lastIndex = 0
  for (let match = LABELLED.exec(text); match; match = LABELLED.exec(text)) {
    const groups = match.indices?.groups ?? {}
    const quoted = groups['double'] ?? groups['single'] ?? groups['tick']
    const span = quoted ?? groups['bare']
    if (!span) continue
    const [start] = span
    // A value may hold the next label: `password: a,password: b`.
    LABELLED.lastIndex = start
    const isPassword = groups['password'] !== undefined
    const value = quoted ? text.slice(...span) : bareValue(text.slice(...span), isPassword)
    const said = {
      value,
      quoted: quoted !== undefined,
      isPassword,
      sign: (match.groups?.['sign'] ?? '').trim(),
      endsLine: /^["'`]?[.;,]?\s*(?:\n|$)/.test(text.slice(start + value.length, start + value.length + 80)),
      endsPair: text[start + value.length] === ';',
      isCode: isCode(start),
    }
    if (isSecretValue(said))
      findings.push({ start, end: start + value.length, kind: isPassword ? 'password' : 'token' })
  }
  return findings
}

/** Without what ends a sentence or a bracket; a key also ends where the next pair of a list begins. */
function bareValue(found: string, isPassword: boolean): string {
  const value = isPassword ? found : (found.split(/[,&]/, 1)[0] ?? '')
  return value.replace(/(?<![.,:)\]}])[.,:)\]}]+$/, '')
}
