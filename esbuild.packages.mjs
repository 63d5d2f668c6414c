import { readdir, readFile } from 'node:fs/promises'

/** The packages that the files of a build are from. Users get them with the program, though npm installs none of them. */
export async function bundledPackages(inputs) {
  const folders = new Set(['node_modules/swagger-ui-dist'])
  for (const input of inputs) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)
    if (found) folders.add(found[1])
  }
  return Promise.all(
    [...folders].sort().map(async (folder) => ({ folder, ...(await readJson(`${folder}/package.json`)) })),
  )
}

async function readJson(file) {
  return JSON.parse(await readFile(file, 'utf8'))
}

/** The licences of the packages, as they ask for. */
export async function noticesOf(packages) {
  const notices = await Promise.all(packages.map(noticeOf))
  notices.push(`=== gitleaks, its rules ===\n\n${(await readFile('src/sanitize/gitleaks/LICENSE', 'utf8')).trim()}`)
  return notices.join('\n\n')
}

/** Every file of the package with a licence or a notice; where it has none, what its readme says of the licence, or else the standard text. */
async function noticeOf({ folder, name, version, license, author }) {
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file)).sort()
  const texts = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, 'utf8')))
  if (!files.some((file) => /^(licen[cs]e|copying)/i.test(file)))
    texts.unshift(
      (await licenceOfReadme(folder, license)) ?? (await standardLicence(license, author ?? `the authors of ${name}`)),
    )
  return [`=== ${name} ${version} ===`, ...texts.map((text) => text.trim())].join('\n\n')
}

async function licenceOfReadme(folder, license) {
  const readme = (await readdir(folder)).find((file) => /^readme/i.test(file))
  const text = readme ? await readFile(`${folder}/${readme}`, 'utf8') : ''
  const heading = /^(#+ *licen[cs]e.*|licen[cs]e.*\n[-=]+)$/im.exec(text)
  const section = heading ? text.slice(heading.index + heading[0].length).trim() : ''
  return /copyright|permission|unlicense/i.test(section) ? `Licence: ${license}\n\n${section}` : null
}

/** The text of SPDX, with the author of the package as the holder. */
async function standardLicence(license, author) {
  const text = await readFile(`docs/reference/licences/${license}.txt`, 'utf8')
  return `Licence: ${license}\n\nCopyright: ${author?.name ?? author}\n\n${text.trim()}`
}

/**
 * A bill of materials (CycloneDX). `npm sbom` would list nothing, because what is bundled is a development dependency. It has no time and
 * no random number, so that the same sources give the same file.
 */
export async function billOf(packages) {
  const own = await readJson('package.json')
  const locked = (await readJson('package-lock.json')).packages
  const components = packages.map(({ folder, name, version, license }) => ({
    ...componentOf({ name, version, license }),
    hashes: [{ alg: 'SHA-512', content: hexOf(locked[folder].integrity) }],
  }))
  const program = { ...componentOf(own), type: 'application' }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: program },
    components,
    dependencies: [{ ref: program['bom-ref'], dependsOn: components.map((component) => component['bom-ref']) }],
  }
}

function componentOf({ name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const licences = /\s/.test(license)
    ? [{ expression: license.replace(' or ', ' OR ') }]
    : [{ license: { id: license } }]
  return { type: 'library', 'bom-ref': purl, name, version, licenses: licences, purl }
}

/** npm writes `sha512-` and Base64. */
function hexOf(integrity) {
  return Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
}
