import { type Finding, findAll, type Passage } from './finding'

/**
 * DOMAIN\user: a NetBIOS name in capitals or a DNS name, one backslash, a name of letters. Not what comes behind a drive,
 * a share, a folder or another backslash, and not before one:
 * `C:\temp`, `\\server\share`, `src\app`, `PROJECT\Team one\Sprint 2`; but before another account: `CORP\jane and CORP\bob`.
 */
const BY_FORM =
  /(?<![\w\\/:.$%-])(?<domain>[A-Z][A-Z0-9-]{1,14}|AzureAD|[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){1,5})\\[A-Za-z][\w.$-]{0,62}[\w$](?![\w.$-]{0,64}[\w\\/$]|(?! \k<domain>\\|(?: [a-z][\w-]{0,20}){1,3} (?:\k<domain>|[A-Z][A-Z0-9-]{1,14})\\)[ \w-]{1,40}\\)/dg

/** In any case behind a word that says it: `run as contoso\svc-build`, `/user:contoso\jane`. */
const BY_LABEL =
  /(?:\buser(?: ?name| ?id)?|\blog[io]n(?: as)?|\brun ?as|\baccount|\bowner|\bassigned to)["']?\s{0,2}[:= ]\s{0,2}["']?(?<it>[A-Za-z][\w-]{1,14}\\[A-Za-z][\w.$-]{0,63})(?![\w\\/])/dgi

/** Domains of the machine itself, roots of its registry, and folders that are written in capitals. */
const NOT_A_DOMAIN = /^(?:HKLM|HKCU|HKCR|HKCC|HKU|BUILTIN|AUTHORITY|BIN|OBJ|SRC|LIB|DOC|DOCS|TMP|TEMP|TEST|TESTS)$/i

/** `SETUP\run.exe` is a file. */
const FILE =
  /\.(?:exe|dll|cmd|bat|ps1|sh|cs|ts|js|py|java|sql|xml|json|config|txt|md|log|csv|xlsx?|docx?|pdf|zip|ini|yml|yaml)$/i

/** The folder of a user: `C:\Users\rklein`, `/home/rklein`, `/Users/rklein`; not a part of an address of the web. */
const HOME =
  /(?:[A-Za-z]:[\\/]{1,2}(?:Users|Documents and Settings)[\\/]{1,2}|(?<![\w.:\\/~-])\\{1,2}Users\\{1,2}|(?<![\w.:/~})\]-])\/(?:home|Users)\/)(?<it>[\p{L}\d][\p{L}\p{M}\d._-]{0,62}[\p{L}\p{M}\d_](?: [\p{L}][\p{L}\p{M}\d._-]{0,63}(?=\\))?)(?![\p{L}\p{N}])/dgiu

/** Folders there that are nobody's, and pages and routes of sites: `/home/dashboard`, `/users/list`. */
const NOT_A_USER =
  /^(?:public|default(?: user|user)?|all users|admin(?:istrator)?|root|user|users|username|guest|shared|runner|runneradmin|vsts|vsts_azpcontainer|ubuntu|debian|vagrant|node|app|circleci|jenkins|git|www-data|ec2-user|me|you|yourname|name|index|dashboard|page|main|about|contact|log[io]n|logout|settings|profile|welcome|news|search|menu|list|new|edit|create|help|start|overview|\d[\da-f-]*)(?:\.\w{1,5})?$/i

/** Names of users in the paths of their folders. */
function findHomes(text: string): Finding[] {
  return findAll(text, HOME, 'account').filter(({ start, end }) => !NOT_A_USER.test(text.slice(start, end)))
}

/** A domain in code, with nothing else: `CONTOSO\jdoe`. What code escapes begins with a letter that has a meaning there. */
const WHOLE_CODE = /^[A-Z][A-Z0-9-]{2,14}\\[A-Za-z][\w.$-]{2,63}$/

/** Names of accounts of a Windows domain, and of users in paths. In code a domain needs a word that says so, or stands alone. */
export function findAccounts(passage: Passage): Finding[] {
  return passage.text.includes('\\')
    ? [...findHomes(passage.text), ...findDomainAccounts(passage)]
    : findHomes(passage.text)
}

function findDomainAccounts({ text, isCode }: Passage): Finding[] {
  const byForm = findAll(text, BY_FORM, 'account').filter(
    ({ start, end }) => !isCode(start) || isWholeCode({ text, isCode }, start, end),
  )
  return [...byForm, ...findAll(text, BY_LABEL, 'account')].filter(({ start, end }) => {
    const name = text.slice(start, end)
    return !NOT_A_DOMAIN.test(name.slice(0, name.indexOf('\\'))) && !FILE.test(name)
  })
}

function isWholeCode({ text, isCode }: Passage, start: number, end: number): boolean {
  const stands = (start === 0 || !isCode(start - 1)) && (end === text.length || !isCode(end))
  return stands && WHOLE_CODE.test(text.slice(start, end))
}
