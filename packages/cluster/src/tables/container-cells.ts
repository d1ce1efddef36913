/** The fields of a container that tables show. */
interface PrintedContainer {
  readonly name?: string
  readonly image?: string
}

/** The fields of a pod template that tables show. */
export interface PodTemplate {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> }
  readonly spec?: {
    readonly containers?: readonly PrintedContainer[] | null
    readonly nodeSelector?: Readonly<Record<string, string>>
  }
}

/** The cells `Containers` and `Images` of all kinds with a pod template. */
export function containerCells(template: PodTemplate | undefined): [string, string] {
  const containers = template?.spec?.containers ?? []
  return [
    containers.map(({ name = '' }) => name).join(','),
    containers.map(({ image = '' }) => image).join(','),
  ]
}
