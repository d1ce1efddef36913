import type { CanonicalState } from './canonical-state.ts'

/** A state as text: equal states have equal texts. */
export function stateText(state: CanonicalState): string {
  return [...state]
    .map(([name, { fields }]) => {
      const lines = [...fields].map(([path, text]) => `  ${path}=${text}`).sort()
      return [name, ...lines].join('\n')
    })
    .sort()
    .join('\n')
}
