// Shows /openapi.json on the page /docs/try, and lets the reader try operations on the origin that served the page.
const dark = matchMedia('(prefers-color-scheme: dark)');
const adopt = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', adopt);
adopt();

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#document',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // No third party: neither the badge of the validator nor the sign-in redirect.
  validatorUrl: null,
  oauth2RedirectUrl: null,
  requestInterceptor(request) {
    const { pathname, search } = new URL(request.url, location.href);
    request.url = location.origin + pathname + search;
    return request;
  },
});
