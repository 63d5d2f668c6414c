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

/** Names of accounts of a Windows domain. In code only behind a word that says so: there a backslash mostly escapes. */
export function findAccounts({ text, isCode }: Passage): Finding[] {
  if (!text.includes('\\')) return []
  const byForm = findAll(text, BY_FORM, 'account').filter(({ start }) => !isCode(start))
  return [...byForm, ...findAll(text, BY_LABEL, 'account')].filter(({ start, end }) => {
    const name = text.slice(start, end)
    return !NOT_A_DOMAIN.test(name.slice(0, name.indexOf('\\'))) && !FILE.test(name)
  })
}
