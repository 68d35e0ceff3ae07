vim9script
# Windows of this plugin, among the windows of the user.

export def IsOpen(window: number): bool
  return window > 0 && win_id2tabwin(window) != [0, 0]
enddef

# Whether a window exists and shows this buffer.
export def Shows(window: number, buffer: number): bool
  return IsOpen(window) && winbufnr(window) == buffer
enddef

# Runs a function without autocommands, and returns to the current window. The last visited window stays the same.
export def InBackground(Act: func())
  const window = win_getid()
  const last_tab = tabpagenr('#')
  try
    noautocmd Act()
  finally
    if last_tab > 0 && last_tab != tabpagenr()
      execute 'noautocmd tabnext' last_tab
    endif
    noautocmd win_gotoid(window)
  endtry
enddef

# Wipes out the buffers that a session has restored without a text: `Gemini CLI: main.ts` and `On disk: main.ts`. Their
# `:w` would write files of these names.
export def CloseRestored()
  for info in getbufinfo()
    const is_used = info.changed || getftype(info.name) != '' || !empty(getbufvar(info.bufnr, 'ide_companion_text'))
    if !is_used && fnamemodify(info.name, ':t') =~ '^\S.*\S: \S' && getbufline(info.bufnr, 1, 2) == ['']
      execute 'silent! bwipeout!' info.bufnr
    endif
  endfor
enddef
