import { type Finding, findAll, type Passage } from './finding'

/**
 * Matches `DOMAIN\user`: a NetBIOS name in capitals or a DNS name, one backslash, and a name that begins with a letter. Paths look
 * similar, so an account must not follow a drive, a share, a folder or another backslash, and no path may continue after it:
 * `C:\temp`, `\\server\share`, `src\app` and `PROJECT\Team one\Sprint 2` do not match. Another account may follow: `CORP\jane and
 * CORP\bob`.
 */
const BY_FORM =
  /(?<![\w\\/:.$%-])(?<domain>[A-Z][A-Z0-9-]{1,14}|AzureAD|[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){1,5})\\[A-Za-z][\w.$-]{0,62}[\w$](?![\w.$-]{0,64}[\w\\/$]|(?! \k<domain>\\|(?: [a-z][\w-]{0,20}){1,3} (?:\k<domain>|[A-Z][A-Z0-9-]{1,14})\\)[ \w-]{1,40}\\)/dg

/** Matches an account in any case after a word that announces one: `run as contoso\svc-build`, `/user:contoso\jane`. */
const BY_LABEL =
  /(?:\buser(?: ?name| ?id)?|\blog[io]n(?: as)?|\brun ?as|\baccount|\bowner|\bassigned to)["']?\s{0,2}[:= ]\s{0,2}["']?(?<it>[A-Za-z][\w-]{1,14}\\[A-Za-z][\w.$-]{0,63})(?![\w\\/])/dgi

/** These are built-in domains of the local machine, registry roots, and folders that are often written in capitals. */
const NOT_A_DOMAIN = /^(?:HKLM|HKCU|HKCR|HKCC|HKU|BUILTIN|AUTHORITY|BIN|OBJ|SRC|LIB|DOC|DOCS|TMP|TEMP|TEST|TESTS)$/i

/** Excludes file names, because `SETUP\run.exe` has the form of an account. */
const FILE =
  /\.(?:exe|dll|cmd|bat|ps1|sh|cs|ts|js|py|java|sql|xml|json|config|txt|md|log|csv|xlsx?|docx?|pdf|zip|ini|yml|yaml)$/i

/**
 * Matches a user's home folder: `C:\Users\rklein`, `/home/rklein`, `/Users/rklein`. A path that is part of a web address does not
 * match.
 */
const HOME =
  /(?:[A-Za-z]:[\\/]{1,2}(?:Users|Documents and Settings)[\\/]{1,2}|(?<![\w.:\\/~-])\\{1,2}Users\\{1,2}|(?<![\w.:/~})\]-])\/(?:home|Users)\/)(?<it>[\p{L}\d][\p{L}\p{M}\d._-]{0,62}[\p{L}\p{M}\d_](?: [\p{L}][\p{L}\p{M}\d._-]{0,63}(?=\\))?)(?![\p{L}\p{N}])/dgiu

/** Lists folders that belong to no person, and pages and routes of web sites: `/home/dashboard`, `/users/list`. */
const NOT_A_USER =
  /^(?:public|default(?: user|user)?|all users|admin(?:istrator)?|root|user|users|username|guest|shared|runner|runneradmin|vsts|vsts_azpcontainer|ubuntu|debian|vagrant|node|app|circleci|jenkins|git|www-data|ec2-user|me|you|yourname|name|index|dashboard|page|main|about|contact|log[io]n|logout|settings|profile|welcome|news|search|menu|list|new|edit|create|help|start|overview|\d[\da-f-]*)(?:\.\w{1,5})?$/i

/** Finds user names in the paths of home folders. */
function findHomes(text: string): Finding[] {
  return findAll(text, HOME, 'account').filter(({ start, end }) => !NOT_A_USER.test(text.slice(start, end)))
}

/**
 * Matches code that consists of one account only: `CONTOSO\jdoe`. In longer code, a backslash and a letter may be an escape
 * sequence.
 */
const WHOLE_CODE = /^[A-Z][A-Z0-9-]{2,14}\\[A-Za-z][\w.$-]{2,63}$/

/**
 * Finds account names of Windows domains, and user names in paths. In code, a domain account needs a label or must be the whole
 * code.
 */
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
  const isWhole = (start === 0 || !isCode(start - 1)) && (end === text.length || !isCode(end))
  return isWhole && WHOLE_CODE.test(text.slice(start, end))
}
