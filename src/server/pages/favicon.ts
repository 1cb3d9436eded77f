/** The site's mark, two dots and two bars. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>path,circle{fill:#c8401f}@media(prefers-color-scheme:dark){path,circle{fill:#ff7a52}}</style><circle cx="5.5" cy="9" r="2"/><circle cx="5.5" cy="15" r="2"/><path d="M11 3h1.6v18H11zM15.8 3H20v18h-4.2z"/></svg>`;
