/**
 * Replaces `$(NAME)` in a text as kubelets do. An unknown name is left unchanged. `$$` becomes `$`
 * and escapes what follows.
 */
export function expandVariables(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$(\$|\(([^)]*)\))/g, (whole, next: string, name: string | undefined) => {
    if (next === '$') return '$'
    return name !== undefined && Object.hasOwn(values, name) ? (values[name] ?? '') : whole
  })
}
