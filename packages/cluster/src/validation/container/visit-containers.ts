import type { FieldPath } from '../go/field-path.ts'
import type { Container, Spec } from '../pod/pod-options.ts'

/** Calls the function with every container and its place, init containers first. */
export function visitContainers(
  spec: Spec,
  at: FieldPath,
  visit: (container: Container, place: FieldPath) => void,
): void {
  for (const field of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    const containers = spec[field] ?? []
    for (const [index, container] of containers.entries()) {
      visit(container, at.child(field).index(index))
    }
  }
}
