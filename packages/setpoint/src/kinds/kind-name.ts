/**
 * The name of a kind's resource, as in kubectl and as the name of a CRD: `pods`,
 * `deployments.apps`.
 */
export function kindName({
  plural,
  group,
}: {
  readonly plural: string
  readonly group: string
}): string {
  return group === '' ? plural : `${plural}.${group}`
}
