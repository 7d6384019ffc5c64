/** Names erased people in Indonesian; the service names them in English. */
export function nameErased(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) return;
  for (const [name, value] of Object.entries(answer)) {
    if (value === 'Deleted user' && name.endsWith('_name')) {
      Object.assign(answer, { [name]: 'Pengguna terhapus' });
    } else nameErased(value);
  }
}
