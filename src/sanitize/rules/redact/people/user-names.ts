/** Matches placeholders of user names, and parts of programs and places that are written after a backslash: `DOMAIN\username`. */
const PLACEHOLDER =
  /^(?:(?:your|my|some|the|domain|ad|nt|new|other|any)?[-_.]?(?:user|account|login|logon)(?:[-_.]?(?:name|id))?s?|me|you|name|someone|somebody|x{2,}|foo|bar|baz)\d{0,2}$/i
const THING =
  /^(?:doors?|docks?|gates?|bays?|lanes?|ramps?|zones?|yards?|sites?|racks?|slots?|rooms?|floors?|lines?|rows?|aisles?|printers?|scanners?|cameras?|servers?|hosts?|nodes?|shares?|disks?|folders?|files?|pages?|steps?|tables?|columns?|levels?|stages?|phases?|queues?|teams?|sprints?|areas?|instances?|sqlexpress|mssqlserver|web|db|sql|vm|pc|home|index|logout|register|signup|signin|callback|token|reset|settings|config|data|logs?)[-_]?\d{0,4}$/i

/** Returns whether a text after a backslash is a placeholder of a user name, or names a thing. */
export function isNoUser(name: string): boolean {
  return PLACEHOLDER.test(name) || THING.test(name)
}

/** Matches roles and programs that are written like users: `log in as admin2`, `run it as nginx`. */
const ROLE =
  /^(?:admin(?:istrator)?|root|sudo|super|guest|test(?:er)?|demo|dev|developer|qa|ops|user|member|owner|client|customer|carrier|driver|shipper|receiver|dispatcher|broker|loader|picker|packer|clerk|inspector|supervisor|planner|operator|manager|viewer|editor|reader|writer|author|reviewer|approver|readonly|smoke|bot|robot|buyer|seller|vendor|supplier|partner|agent|employee|person|account|role|group|team|host|node|server|service|daemon|worker|cron|cronjob|console|identity|warning|error|job|task|step|stage|phase|level|version|type|case|test|example|sample|part|page|python|java|ruby|php|http|oauth|sha|utf|netcore|dotnet|vscode|gcloud|dbus|cmdlet|rbash|cgroup|fsync|rsync|ffmpeg|tcpdump|vmware|npmrc|xunit|nunit|mstest|ncrunch|sqlite|pgadmin|pgbouncer|nginx|mssql|mysql|psql|postgres|oracle|tomcat|jboss|www|dbo|dba|dbadmin|dbuser|dbowner|dbreader|dbwriter|npm|mvn|ssh|ftp|smtp|ldap|sftp|kvm|vm|lxc|xml|html|json|ndjson|yaml|csv|tsv|pdf|txt|jpe?g|png|base|int|uint|float|x|v|ver|win|mac|ios|ipv|arm|amd)$/i
const SERVICE = /^(?:svc|srv|sa|adm|usr|ext)[._-][a-z][\w.-]{1,40}$|^[a-z]\w{1,40}[._-](?:svc|adm|sa)$/i
const INITIAL_OR_NAME_WITH_DOT = /^[a-z]{1,20}\.[a-z]{3,20}\d{0,2}$/
/** Matches the ending of a host or file in place of a family name. */
const ENDING =
  /\.(?:com|org|net|info|example|local|internal|test|exe|dll|cmd|bat|json|yaml|yml|java|html|config|conf|env|log|txt|csv|xml|xls|xlsx|doc|docx|pdf|zip|sql|php|css|jar|war|tar|png|jpg|svg)$/i
const NAME_AND_NUMBER = /^(?<name>[a-z]{3,20})\d{1,4}$/i

/** Returns whether a text is formed like a user name of an organization: `jsmith42`, `j.smith`, `svc_build`, `mmuster`. */
export function isUserName(text: string): boolean {
  if (isNoUser(text)) return false
  const name = NAME_AND_NUMBER.exec(text)?.groups?.['name']
  if (name !== undefined) return !ROLE.test(name)
  if (INITIAL_OR_NAME_WITH_DOT.test(text)) return !ENDING.test(text) && !isPartOfProgram(text)
  return (
    SERVICE.test(text) ||
    (/^[A-Za-z][a-z]{3,19}$/.test(text) && !ROLE.test(text) && !beginsLikeAWord(text.toLowerCase()))
  )
}

/** Returns whether a text with a dot names a part of a program: `systemd.service`, `admin.console`. */
function isPartOfProgram(text: string): boolean {
  const [first = '', second = ''] = text.split('.')
  return first.length > 1 && ROLE.test(second)
}

const CONSONANTS = /^[b-df-hj-np-tv-xz]*/
const TWO =
  /^(?:b[hlr]|c[hlrz]|d[hrw]|f[jlr]|g[hlnrw]|k[hlnr]|ll|mc|p[hlnrst]|qu|rh|s[chklmnpqtvwz]|t[hrsw]|v[lr]|w[hr]|z[hlw])$/
const THREE = /^(?:ch[lr]|ph[lr]|sch[lmnrw]?|sc[lr]|shr|sp[hlr]|st[hr]|thr|thw)$/

/**
 * Returns whether a text begins with letters that words begin with. An initial before a family name mostly does not: `mmuster`,
 * `jsmith`, `rklein`.
 */
function beginsLikeAWord(text: string): boolean {
  const consonants = CONSONANTS.exec(text)?.[0] ?? ''
  // Without a vowel it is an abbreviation.
  if (consonants.length < 2 || consonants.length === text.length) return true
  return consonants.length === 2 ? TWO.test(consonants) : THREE.test(consonants)
}
