vim9script
# Windows that are ours, among those that are the user's.

export def IsOpen(window: number): bool
  return window > 0 && win_id2tabwin(window) != [0, 0]
enddef

# Whether a window is there and has this buffer in it.
export def Shows(window: number, buffer: number): bool
  return IsOpen(window) && winbufnr(window) == buffer
enddef

# Does something without autocommands, and comes back to where the user is: also what they have visited last stays so.
export def BehindTheBack(Act: func())
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

# A window is born with the options of that which was split: a diff, a terminal, a file tree. The current one gets
# those that the user has set for all.
export def ForgetOptions()
  for [name, value] in items(getwinvar(0, '&'))
    const wanted: any = eval('&g:' .. name)
    # A switch is told as a number here, and as a boolean there.
    if type(wanted) == v:t_bool ? !!value != wanted : value !=# wanted
      execute 'noautocmd set' name .. '<'
    endif
  endfor
enddef
