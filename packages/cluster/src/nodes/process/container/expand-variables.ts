/**
 * Replaces `$(NAME)` in a text as kubelets do: what is not known stays as it is, `$$` is one `$` and keeps what follows
 * from being replaced.
 */
export function expandVariables(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$(\$|\(([^)]*)\))/g, (whole, next: string, name: string | undefined) => {
    if (next === '$') return '$'
    return name !== undefined && Object.hasOwn(values, name) ? (values[name] ?? '') : whole
  })
}
