import type { ScoredBundle } from './scored-bundle.ts'

const semver = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

/**
 * Whether the parts of a bundle fit together. These are the rules of the Operator Framework's
 * validators that concern several files; the validators themselves check more.
 */
export function bundleProblems({ csv, crds, examples, annotations }: ScoredBundle): {
  errors: string[]
  suggestions: string[]
} {
  const errors: string[] = []
  const suggestions: string[] = []
  const { owned } = csv.spec.customresourcedefinitions
  const served = crds.flatMap(({ metadata, spec }) =>
    spec.versions.map(({ name }) => `${metadata.name} ${name}`),
  )
  const named = owned.map(({ name, version }) => `${name} ${version}`)
  for (const one of served) if (!named.includes(one)) errors.push(`no owned CRD is for ${one}`)
  for (const one of named) if (!served.includes(one)) errors.push(`the bundle has no CRD ${one}`)
  if (!semver.test(csv.spec.version)) errors.push(`${csv.spec.version} is not a semantic version`)
  if (!csv.metadata.name.endsWith(`.v${csv.spec.version}`)) {
    errors.push(`the name ${csv.metadata.name} does not end with .v${csv.spec.version}`)
  }
  if (!csv.spec.installModes.some(({ supported }) => supported)) {
    errors.push('no install mode is supported')
  }
  const prefix = 'operators.operatorframework.io.bundle'
  for (const name of ['mediatype.v1', 'manifests.v1', 'metadata.v1', 'package.v1', 'channels.v1']) {
    if (annotations[`${prefix}.${name}`] === undefined) errors.push(`${prefix}.${name} is missing`)
  }
  for (const { kind, version } of owned) {
    const hasExample = examples.some(
      (example) => example.kind === kind && example.apiVersion.endsWith(`/${version}`),
    )
    if (!hasExample) suggestions.push(`add an example of ${kind} ${version} to config/samples/`)
  }
  return { errors, suggestions }
}
