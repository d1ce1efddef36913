import type { ApiResource } from '../../kinds/api-resource.ts'
import type { OperatorDeclaration } from '../declare/operator-declaration.ts'

/** The annotation that makes operators leave an object alone: `setpoint.dev/paused: "true"`. */
const pauseAnnotation = 'setpoint.dev/paused'

/** Whether the operator leaves an object alone. `pausable: false` ignores the annotation. */
export function isPaused({ metadata }: ApiResource, { options }: OperatorDeclaration): boolean {
  return metadata.annotations?.[pauseAnnotation] === 'true' && options.pausable !== false
}
