/** What tables show of a container. */
interface PrintedContainer {
  readonly name?: string
  readonly image?: string
}

/** A pod template, as far as tables show it. */
export interface PodTemplate {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> }
  readonly spec?: {
    readonly containers?: readonly PrintedContainer[] | null
    readonly nodeSelector?: Readonly<Record<string, string>>
  }
}

/** The cells `Containers` and `Images` that everything with a pod template has. */
export function containerCells(template: PodTemplate | undefined): [string, string] {
  const containers = template?.spec?.containers ?? []
  return [
    containers.map(({ name = '' }) => name).join(','),
    containers.map(({ image = '' }) => image).join(','),
  ]
}
