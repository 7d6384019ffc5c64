import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { takeLink } from './app/link.ts';
import './styles/main.css';

// Runs first: a secret stays in the address no longer than necessary.
const link = takeLink();
const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App link={link} />
    </StrictMode>,
  );
}
