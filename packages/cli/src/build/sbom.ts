import { createHash } from 'node:crypto'
import type { Project } from '../project/index.ts'
import { version } from '../version.ts'
import type { BundledPackage } from './bundled-packages.ts'

/**
 * The packages of a bundle as a CycloneDX 1.6 document. The same sources give the same document: it
 * has no timestamp, and its serial number is a hash of its content.
 */
export function sbomOf(
  project: Project,
  packages: readonly BundledPackage[],
  bundle: Uint8Array,
): string {
  const root = `pkg:npm/${purlName(project.name)}@${project.version}`
  const refOf = new Map(packages.map((each) => [each.name, purlOf(each)]))
  const content = {
    version: 1,
    metadata: {
      tools: { components: [{ type: 'application', name: '@setpoint/cli', version }] },
      component: {
        type: 'application',
        'bom-ref': root,
        name: project.name,
        version: project.version,
        purl: root,
        hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(bundle).digest('hex') }],
      },
    },
    components: packages.map((each) => componentOf(each)),
    dependencies: [
      { ref: root, dependsOn: packages.map(purlOf) },
      ...packages.map((each) => ({
        ref: purlOf(each),
        dependsOn: each.needs.flatMap((name) => refOf.get(name) ?? []),
      })),
    ],
  }
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    ...content,
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

function componentOf(each: BundledPackage): object {
  const [, group, name = each.name] = /^(@[^/]+)\/(.+)$/.exec(each.name) ?? []
  const { license } = each
  return {
    type: 'library',
    'bom-ref': purlOf(each),
    ...(group === undefined ? {} : { group }),
    name,
    version: each.version,
    purl: purlOf(each),
    ...(license === undefined ? {} : { licenses: [licenseOf(license)] }),
  }
}

/** An SPDX identifier, or an SPDX expression. */
function licenseOf(license: string): object {
  return /^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }
}

function purlOf({ name, version: of }: BundledPackage): string {
  return `pkg:npm/${purlName(name)}@${of}`
}

function purlName(name: string): string {
  return name.replace(/^@/, '%40')
}

/** A UUID of version 8 (custom) from the hash of a text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
