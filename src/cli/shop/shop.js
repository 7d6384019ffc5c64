// Makes the pages of the shop pleasant; they work without it.

/** Shows the buttons that copy a text, and has them do it. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    const { textContent } = button;
    button.textContent = button.dataset.done;
    setTimeout(() => (button.textContent = textContent), 2000);
  });
}
