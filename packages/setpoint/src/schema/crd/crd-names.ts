/** The names, the group and the metadata of a CRD. */
import type { CrdManifest, CrdNames } from './crd-manifest.ts'
import { invalid, required, type FieldError } from '../field-error.ts'
import type { JsonObject } from '../json-value.ts'
import { dns1035LabelProblems, dnsSubdomainProblems } from '../name-rules.ts'
import { metadataProblems } from '../object-meta.ts'
import { isRequestUri, parseGoUrl } from '../formats/uri-formats.ts'

/** `singular` and `listKind` with the server's defaults. */
export function withDefaultNames(names: CrdNames): Required<CrdNames> {
  const { plural = '', kind = '', singular = '', listKind = '' } = names as Partial<CrdNames>
  return {
    plural,
    kind,
    singular: singular === '' ? kind.toLowerCase() : singular,
    listKind: listKind === '' && kind !== '' ? `${kind}List` : listKind,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
  }
}

/** The object's own metadata: its name must consist of plural and group. */
export function crdMetadataProblems(crd: CrdManifest): FieldError[] {
  const meta = crd.metadata as unknown as JsonObject
  const { name = '', generateName = '' } = crd.metadata as { name?: string; generateName?: string }
  const expected = `${withDefaultNames(crd.spec.names).plural}.${groupOf(crd)}`
  const errors: FieldError[] = []
  if (generateName !== '') {
    // The server appends random characters, so a dash at the end is valid.
    const masked = generateName.replace(/.-$/s, 'a')
    errors.push(...ownNameProblems('metadata.generateName', generateName, { masked, expected }))
  }
  if (name !== '')
    errors.push(...ownNameProblems('metadata.name', name, { masked: name, expected }))
  else if (generateName === '') {
    errors.push(required('metadata.name', 'name or generateName is required'))
  } else {
    // A generated name ends at random, so it is never the required one.
    errors.push(invalid('metadata.name', generateName, nameRule))
  }
  return [...errors, ...metadataProblems(meta, 'metadata')]
}

const nameRule = 'must be spec.names.plural+"."+spec.group'

function ownNameProblems(
  field: string,
  name: string,
  { masked, expected }: { masked: string; expected: string },
): FieldError[] {
  const wrongName = name === expected ? [] : [nameRule]
  return [...dnsSubdomainProblems(masked), ...wrongName].map((text) => invalid(field, name, text))
}

/** The group, empty when it is missing. */
export function groupOf(crd: CrdManifest): string {
  return (crd.spec as { group?: string }).group ?? ''
}

/** The group must be a domain of at least two labels. */
export function groupProblems(group: string): FieldError[] {
  if (group === '') return [required('spec.group')]
  const problems = dnsSubdomainProblems(group)
  if (problems.length > 0) return [invalid('spec.group', group, problems.join(','))]
  if (group.includes('.')) return []
  return [invalid('spec.group', group, 'should be a domain with at least one dot')]
}

/** `spec.names`, with the server's defaults applied. */
export function nameProblems(names: Required<CrdNames>): FieldError[] {
  const at = (key: string) => `spec.names.${key}`
  const { plural, singular, kind, listKind } = names
  const errors = Object.entries({ plural, singular, kind, listKind })
    .filter(([, text]) => text === '')
    .map(([key]) => required(at(key)))
  errors.push(...labelProblems(at('plural'), plural), ...labelProblems(at('singular'), singular))
  for (const [key, text] of Object.entries({ kind, listKind })) {
    const problems = text === '' ? [] : dns1035LabelProblems(text.toLowerCase())
    if (problems.length === 0) continue
    const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`
    errors.push(invalid(at(key), text, detail))
  }
  for (const [i, text] of names.shortNames.entries()) {
    errors.push(...labelProblems(`${at('shortNames')}[${i}]`, text, true))
  }
  if (kind !== '' && kind === listKind) {
    errors.push(invalid(at('listKind'), listKind, 'kind and listKind may not be the same'))
  }
  for (const [i, text] of names.categories.entries()) {
    errors.push(...labelProblems(`${at('categories')}[${i}]`, text, true))
  }
  return errors
}

function labelProblems(field: string, text: string, isRequired = false): FieldError[] {
  const problems = text === '' && !isRequired ? [] : dns1035LabelProblems(text)
  return problems.length === 0 ? [] : [invalid(field, text, problems.join(','))]
}

const approval = 'api-approved.kubernetes.io'
const approvalHelp = 'see https://github.com/kubernetes/enhancements/pull/1111'

/** Groups of the Kubernetes community need the annotation about the approval of the API. */
export function approvalProblems(crd: CrdManifest): FieldError[] {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(groupOf(crd))) return []
  const field = `metadata.annotations[${approval}]`
  const value = crd.metadata.annotations?.[approval] ?? ''
  const subject = `protected groups must have approval annotation "${approval}"`
  if (value === '') return [required(field, `${subject}, ${approvalHelp}`)]
  if (value.startsWith('unapproved')) return []
  const url = parseGoUrl(value)
  if (isRequestUri(value) && !('problem' in url) && url.host !== '' && url.scheme !== '') return []
  const detail = `${subject} with either a URL or a reason starting with "unapproved", ${approvalHelp}`
  return [invalid(field, value, detail)]
}
