import { readCrd, type CrdDocument, type CrdVersion } from './crd-document.ts'
import { printKind } from './kind-source.ts'
import { pascalCase, SchemaTypes } from './schema-types.ts'
import { named, printInterface, printList, quoted, type Member } from './typescript-source.ts'

/**
 * TypeScript source for a third-party CRD: an interface for the objects of each served version, and
 * the `Kind` value to watch and write them. Pass the parsed manifest; save the result as a module.
 * The preferred version gets the plain name, others have theirs as a suffix
 * (`CertificateV1alpha2`). No content of the CRD can become code: names are validated and
 * everything else is quoted.
 */
export function typesFromCrd(crd: unknown): string {
  const document = readCrd(crd)
  const kindName = pascalCase(document.kind)
  const types = new SchemaTypes()
  const names = document.versions.map((version, index) =>
    types.takeName(index === 0 ? kindName : kindName + pascalCase(version.name)),
  )
  const declarations = document.versions.flatMap((version, index) =>
    printVersion({ document, version, types, name: names[index] ?? kindName }),
  )
  const imports = `${header(document)}\n${importLine(types)}`
  return `${[imports, ...declarations].join('\n\n')}\n`
}

interface VersionToPrint {
  readonly document: CrdDocument
  readonly version: CrdVersion
  readonly types: SchemaTypes
  readonly name: string
}

function printVersion({ document, version, types, name }: VersionToPrint): string[] {
  const { group, versions: _versions, ...identity } = document
  const apiVersion = `${group}/${version.name}`
  const literal = (property: string, value: string): Member => ({
    name: property,
    optional: false,
    type: { form: 'literal', value },
  })
  const metadata = named(`StoredMetadata<${quoted(document.scope)}>`)
  const firstInterface = types.interfaces.length
  types.addInterface(
    [
      literal('apiVersion', apiVersion),
      literal('kind', document.kind),
      { name: 'metadata', optional: false, type: metadata },
    ],
    version.schema,
    {
      name,
      // A new object has no status before its controller has reconciled it.
      optional: ['status'],
      ...(version.deprecation === undefined
        ? {}
        : { doc: `@deprecated ${version.deprecation}`.trim() }),
    },
  )
  const [root = '', ...parts] = types.interfaces.slice(firstInterface).map(printInterface)
  const kind = printKind(name, { ...identity, apiVersion, subresources: version.subresources })
  return [root, kind, ...parts]
}

function header({ plural, group }: CrdDocument): string {
  return `// Types of ${plural}.${group}, written by typesFromCrd of setpoint/kinds from its CRD.`
}

function importLine(types: SchemaTypes): string {
  const items = ['ExactKind', 'StoredMetadata', ...types.imports]
    .sort()
    .map((name) => `type ${name}`)
  return printList({
    before: 'import ',
    items: ['defineKind', ...items],
    brackets: '{}',
    after: " from 'setpoint/kinds'",
  })
}
