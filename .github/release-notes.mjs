import { readFile, writeFile } from 'node:fs/promises'

/**
 * Ends with an error unless the tag names the version of package.json, the changelog has its section with a date, and package.json names
 * the repository, which the registry compares with the provenance. Writes the section to a file.
 */
const { GITHUB_REF_NAME, GITHUB_REPOSITORY } = process.env
const { version, repository } = JSON.parse(await readFile('package.json', 'utf8'))
if (GITHUB_REF_NAME !== `v${version}`) fail(`The tag is ${GITHUB_REF_NAME}, but package.json has version ${version}.`)
const address = typeof repository === 'string' ? repository : (repository?.url ?? '')
if (!address.replace(/\.git$/, '').endsWith(`/${GITHUB_REPOSITORY}`))
  fail(`The "repository" of package.json must be https://github.com/${GITHUB_REPOSITORY}, and is "${address}".`)
const sections = (await readFile('CHANGELOG.md', 'utf8')).split(/^## /m)
const section = sections.find((text) => text.startsWith(`${version} (`))
if (!section) fail(`CHANGELOG.md has no section "## ${version} (<date>)".`)
const [heading, ...lines] = section.split('\n')
if (!/ \(\d{4}-\d{2}-\d{2}\)$/.test(heading)) fail(`CHANGELOG.md says "${heading}". Write the date of the release.`)
await writeFile(process.argv[2], `${lines.join('\n').trim()}\n`)

function fail(message) {
  console.error(`error: ${message}`)
  process.exit(1)
}
