import { type Finding, findAll, findRunsWith } from '../finding'
import { isPlaceholder } from './placeholder'
import { ValueReader } from './value-reader'

/** A command or header that announces a secret, up to the secret. The pattern is tried only if the text contains the hint. */
interface Form {
  hint: string
  before: RegExp
  /** It is a command with flags. */
  isCommand?: boolean
  /** Shorter values are something else. */
  atLeast: number
  /** Returns the part of the word that is the secret: what follows the user of `user:password`. */
  part?: RegExp
}

/** Matches arguments before the flag, also on further lines. */
const ARGUMENTS = '(?:(?:[^\\n\\\\]|\\\\[\\s\\S]){0,400}?\\s)?'
const GAP = '\\s{0,3}'

/** Describes a command with the flag before its password. Flags are case-sensitive: `-p` and `-P` differ. */
function command(names: string, flag: string, options: { part?: RegExp; atLeast?: number } = {}): Form[] {
  return names.split('|').map((name) => ({
    hint: name.includes(' ') ? (name.split(' ').at(-1) ?? name) : `${name} `,
    before: new RegExp(`\\b${name.replaceAll(' ', '\\s{1,3}')} ${ARGUMENTS}${flag}`, 'g'),
    isCommand: true,
    atLeast: options.atLeast ?? 2,
    ...(options.part ? { part: options.part } : {}),
  }))
}

/** Describes a command that sets a variable, up to the value: `setx DB_PASS hunter2`. */
function setVariable(hint: string, options: string): Form[] {
  const ends =
    'pass(?:word|wd|phrase|code)?|pwd|secret|token|(?:api|access|secret|private|encryption|master|account)_?key'
  const name = `["']?(?:\\w{0,60}_)?(?:db|pg|smtp|ftp|admin|root|user)?(?:${ends})["']?`
  const before = new RegExp(`\\b${hint.replace(' ', '\\s{1,3}')}${options}${name}[ \\t]{1,3}(?=\\S)(?!/[a-z]\\b)`, 'gi')
  return [{ hint, before, atLeast: 3 }]
}

const AFTER_USER = /^[\w.@\\{}$"'-]{0,64}:(?<it>[\s\S]+)$/d
const AFTER_PERCENT = /^[\w.@\\/-]{1,64}%(?<it>[\s\S]+)$/d

const forms: readonly Form[] = [
  // Matches `Authorization: Basic dXNlcjpwYXNz` and `Authorization: Bearer …`.
  {
    hint: 'authorization',
    before: /authorization(?:\\{0,7}["'])?\s{0,3}[:=]\s{0,3}(?:\\{0,7}["'])?(?:\w{1,20} )?(?=[\w+/=.~-]{8})/gi,
    atLeast: 8,
  },
  { hint: 'bearer', before: /\bbearer\s{1,3}(?=[\w+/.~-]{0,200}\d)(?=[\w+/=.~-]{16})/gi, atLeast: 16 },
  // Matches `--password hunter2`, also as `--http-password=…`.
  {
    hint: '--',
    before:
      /(?<![\w=])--(?:\w{1,20}-)?(?:password|passwd|pass|passphrase|pwd|token|api-key|secret)(?:[= ]|\s{1,3}(?=["'$]))(?!-)/gi,
    atLeast: 3,
  },
  ...command('curl', `(?:-[A-Za-z]{0,8}[uU]|--user|--proxy-user)${GAP}`, { part: AFTER_USER }),
  ...command('http|https', `(?:-a|--auth)[= ]`, { part: AFTER_USER }),
  ...command('mysql|mysqldump|mysqladmin|mysqlimport|mysqlshow|mariadb|mariadb-dump|mariadb-admin', '-p(?=\\S)'),
  ...command('sshpass', `-p${GAP}`),
  ...command(
    'docker login|podman login|helm registry login|oc login|az login|mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|psexec',
    `-p\\s{1,3}(?!-)`,
    { atLeast: 3 },
  ),
  ...command('zip|unzip|zipcloak', '-[A-Za-z\\d]{0,8}P\\s{0,3}(?!-)'),
  ...command('7z|7za|7zz|rar|unrar', '-h?p(?=[^\\s-])'),
  ...command(
    'ldapsearch|ldapmodify|ldapadd|ldapdelete|ldapwhoami|ldappasswd|ldapcompare',
    '-[A-Za-z]{0,8}w\\s{0,3}(?!-)',
  ),
  ...command('smbclient|rpcclient|smbget|wmic|winexe', '(?:-U|--user)[= ]\\s{0,2}', { part: AFTER_PERCENT }),
  ...command('xfreerdp|cmdkey|wfreerdp', '/(?:p|pass):'),
  ...command('plink|pscp|psftp|putty', '-pw\\s{1,3}'),
  ...command('keytool|jarsigner', '-(?:store|key|srcstore|deststore)pass\\s{1,3}'),
  ...command('openssl', '-(?:pass|passin|passout)\\s{1,3}["\']?pass:'),
  ...command('openssl enc', '-k\\s{1,3}'),
  ...command('htpasswd', '-[a-z]{0,4}n[a-z]{0,4}[ \\t]{1,3}[^\\s[\\]]{1,64}[ \\t]{1,3}'),
  ...command('htpasswd', '-[a-mo-z]{0,4}b[a-mo-z]{0,4}(?:[ \\t]{1,3}[^\\s[\\]]{1,200}){2}[ \\t]{1,3}'),
  ...command('sqlcmd|bcp|isql|osql', '-P\\s{0,3}(?!-)', { atLeast: 3 }),
  ...command('redis-cli', '-a\\s{1,3}(?!-)', { atLeast: 3 }),
  ...setVariable('setx ', '(?:/[mM]\\s{1,3})?'),
  ...setVariable('setenv ', ''),
  ...setVariable('set -', '[A-Za-z]{1,4}\\s{1,3}'),
  {
    hint: '/user:',
    before: /\bnet\s{1,3}use\s[^\n]{0,400}?\/user:[^\s[\]]{1,100}\s{1,3}(?!\/)(?=\S{0,60}\d)/gi,
    atLeast: 2,
  },
  { hint: 'net user', before: /\bnet user\s{1,3}[\w.$-]{1,64}\s{1,3}(?![/*])(?=\S{0,60}\d)/gi, atLeast: 2 },
  // Matches `User / password: bob / hunter2`.
  { hint: 'user', before: /user\w{0,8}\s?\/\s?pass\w{0,8}\s?[:=]\s?[^\s/]{1,60}\s?\/\s?/gi, atLeast: 3 },
  // Matches `IDENTIFIED BY '…'` and `ConvertTo-SecureString "…"`.
  {
    hint: 'identified',
    before: /identified\s{1,3}(?:with\s{1,3}\w{1,40}\s{1,3})?(?:by|as)\s{1,3}(?=["'])/gi,
    atLeast: 1,
  },
  { hint: 'password', before: /\bpassword\s{1,3}(?=')/gi, atLeast: 1 },
  { hint: 'securestring', before: /convertto-securestring\s{1,3}(?:-string\s{1,3})?(?=["'])/gi, atLeast: 1 },
]

/** Matches what every command has before its password: a flag. Nearly all other texts have none. */
const FLAG = /\s(?:-{1,2}[A-Za-z]|\/p(?:ass)?:)/

/** Matches a shared access signature and the key of a serverless function. */
const PARAMETER = /[?&;](?:sig|code)=(?<it>[\w%+/=-]{20,})/dgi

/** Finds passwords and keys in commands, headers and query strings. */
export function findCommandPasswords(text: string): Finding[] {
  const lower = text.toLowerCase()
  const isCommand = FLAG.test(text)
  const found = forms.flatMap((form) =>
    (isCommand || !form.isCommand) && lower.includes(form.hint) ? findAfter(text, form) : [],
  )
  const parameters = /[?&;](?:sig|code)=/i.test(text) ? findAll(text, PARAMETER, 'password') : []
  return [...found, ...parameters, ...findOracleLogins(text)]
}

/** Reads the word of the shell after each match. Words do not begin within other words, so the text is read once. */
function findAfter(text: string, { before, atLeast, part }: Form): Finding[] {
  const findings: Finding[] = []
  const reader = new ValueReader(text)
  before.lastIndex = 0
  for (let match = before.exec(text); match; match = before.exec(text)) {
    const at = match.index + match[0].length
    const word = reader.word(at)
    before.lastIndex = Math.max(at, word.end)
    const written = text.slice(word.start, word.end)
    const [from, to] = part ? (part.exec(written)?.indices?.groups?.['it'] ?? [0, 0]) : [0, written.length]
    const value = written.slice(from, to)
    if (value.length < atLeast || isPlaceholder(value.replace(/^["']|["']$/g, ''))) continue
    findings.push({ start: word.start + from, end: word.start + to, kind: 'password' })
  }
  return findings
}

const ORACLE_LOGIN = /(?<![\w/.@-])[A-Za-z][\w$#]{0,127}\/(?<it>[^\s/@"'[\]]{2,})@(?<service>[^\s"'`]{0,253})/dg
const ORACLE_COMMAND =
  /(?:\b(?:sqlplus|sqlldr|sqlcl|expdp|impdp|rman|conn(?:ect)?)\s{1,3}(?:-\w{1,8}\s{1,3})?|:)["']?$/i
/** Matches an alias in capitals, a host with the usual port, or a connect descriptor. */
const ORACLE_SERVICE =
  /^(?:\/\/\w|\(description|[A-Z][A-Z0-9_]{2,}(?:\.[\w.]{1,253})?[.,;:)]?$|(?:tns[\w-]*|orcl\w*|xe(?:pdb\d)?)[.,;:)]?$|[\w.-]{1,253}:15\d\d\b)/

/**
 * Finds `scott/tiger@ORDERS` if the command before it or the service name after it identifies an Oracle login.
 * `actions/checkout@v4` has the same form but is not a login.
 */
function findOracleLogins(text: string): Finding[] {
  const logins = findRunsWith(text, '@').filter((run) => run.text.includes('/'))
  return logins.flatMap((run) =>
    [...run.text.matchAll(ORACLE_LOGIN)].flatMap((match) => {
      const at = run.start + match.index
      const [start, end] = match.indices?.groups?.['it'] ?? [0, 0]
      const isOracle =
        ORACLE_COMMAND.test(text.slice(Math.max(0, at - 24), at)) ||
        ORACLE_SERVICE.test(match.groups?.['service'] ?? '')
      return isOracle ? [{ start: run.start + start, end: run.start + end, kind: 'password' as const }] : []
    }),
  )
}
