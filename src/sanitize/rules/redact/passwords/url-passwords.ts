import { type Finding, findRunsWith, findWithin, type Run } from '../finding'

/** Matches `scheme://user:password@host`. The user name is removed together with the password. */
const USER_AND_PASSWORD = /(?<![a-z0-9+.-])[a-z0-9+.-]{2,40}:\/\/(?<it>[^\s:@/?#"'<>]*:[^\s/"'<>]+)@(?=[\w[.-])/dgi

/** Matches addresses of databases and message brokers, whose passwords may contain a slash. */
const SERVER =
  /(?<![a-z0-9])(?:postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|oracle|jdbc:\w{1,12})(?:\+\w{1,10})?:\/\/(?=[^\s:@/?#"'<>]{0,100}:)/gi

/** Finds user names and passwords in addresses. */
export function findUrlPasswords(text: string): Finding[] {
  const addresses = findRunsWith(text, '://').filter((run) => run.text.includes('@'))
  return [...findWithin(addresses, USER_AND_PASSWORD, 'password'), ...addresses.flatMap(serverPasswords)]
}

/** Finds credentials up to the last `@`, because the password itself may contain one. */
function serverPasswords({ start, text }: Run): Finding[] {
  const findings: Finding[] = []
  for (const part of text.matchAll(/[^"'<>]+/g)) {
    const server = [...part[0].matchAll(SERVER)][0]
    const from = server ? server.index + server[0].length : 0
    const at = part[0].lastIndexOf('@')
    if (server && at > from && /[\w.-]/.test(part[0][at + 1] ?? ''))
      findings.push({ start: start + part.index + from, end: start + part.index + at, kind: 'password' })
  }
  return findings
}
