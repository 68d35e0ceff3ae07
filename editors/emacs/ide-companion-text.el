;;; ide-companion-text.el --- Texts and files as agents see them  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A text includes line ends, a byte order mark and a missing last newline.
;; As with a file, the coding system of a buffer holds the line ends and the
;; byte order mark.

;;; Code:

(require 'ide-companion-log)

(defvar org-inhibit-startup)

(defun ide-companion--dos-p (text)
  "Whether every line of TEXT ends as in DOS.
Mixed line ends stay in the text."
  (and (string-search "\r\n" text)
       (not (string-match-p "\\(?:\\`\\|[^\r]\\)\n" text))))

(defun ide-companion--recode (text from to)
  "TEXT written with the coding system FROM and read again with TO."
  (decode-coding-string (encode-coding-string text from t) to t))

(defun ide-companion--put-text (text)
  "Make TEXT the contents of the current buffer, as if read from a file."
  (let* ((bom (string-prefix-p "\ufeff" text))
         (dos (ide-companion--dos-p text))
         (body (if bom (substring text 1) text))
         (inhibit-read-only t)
         (buffer-undo-list t))
    (setq buffer-file-coding-system
          (intern (concat (if bom "utf-8-with-signature" "utf-8") (if dos "-dos" "-unix"))))
    (erase-buffer)
    (insert (if dos (ide-companion--recode body 'utf-8-emacs-unix 'utf-8-emacs-dos) body))
    (goto-char (point-min))
    (set-buffer-modified-p nil)))

(defun ide-companion--replace-contents (buffer text)
  "Make TEXT that of BUFFER, and leave point where it is."
  (with-temp-buffer
    (ide-companion--put-text text)
    (let ((source (current-buffer)) (coding buffer-file-coding-system))
      (with-current-buffer buffer
        (let ((inhibit-read-only t))
          (save-restriction
            (widen)
            (replace-buffer-contents source 1)))
        (setq buffer-file-coding-system coding)))))

(defun ide-companion--get-text (buffer)
  "The text of BUFFER as it would be written to a file."
  (with-current-buffer buffer
    (let* ((body (save-restriction
                   (widen)
                   (buffer-substring-no-properties (point-min) (point-max))))
           (coding (or buffer-file-coding-system 'utf-8-unix))
           (dos (eq 1 (coding-system-eol-type coding))))
      (concat (and (eq t (coding-system-get coding :bom)) "\ufeff")
              (if dos (ide-companion--recode body 'utf-8-emacs-dos 'utf-8-emacs-unix) body)))))

(defun ide-companion--unicode (text)
  "TEXT without what JSON cannot hold: raw bytes and lone surrogates."
  (replace-regexp-in-string "[\ud800-\udfff\x110000-\x3fff7f\x3fff80-\x3fffff]" "\ufffd"
                            (string-to-multibyte text) t t))

(defun ide-companion--file-name (name)
  "The file NAME as agents know it: its bytes on disk, read as UTF-8."
  (let ((coding (or file-name-coding-system default-file-name-coding-system)))
    (ide-companion--unicode
     (if coding
         (ide-companion--recode (expand-file-name name) coding 'utf-8)
       (expand-file-name name)))))

(defun ide-companion--local-name (path)
  "The PATH that an agent has named, as a file of this machine.
Of `/ssh:HOST:/FILE' Emacs would ask that host."
  (if (file-remote-p path) (file-name-quote path t) path))

(defun ide-companion--buffer-of (path)
  "The buffer that visits the file that agents call PATH, or nil.
It may visit the file by a link: agents know their folder by its real name."
  (let ((coding (or file-name-coding-system default-file-name-coding-system)))
    (find-buffer-visiting (if coding (ide-companion--recode path 'utf-8 coding) path))))

(defun ide-companion--file-buffer (buffer)
  "The buffer that visits BUFFER's file on this machine, or nil.
That of an indirect buffer is its base."
  (let* ((base (or (buffer-base-buffer buffer) buffer))
         (name (buffer-file-name base)))
    (and name
         ;; Hidden, unless the file is called so.
         (or (not (string-prefix-p " " (buffer-name base)))
             (string-prefix-p " " (file-name-nondirectory name)))
         (not (file-remote-p name))
         base)))

(defun ide-companion--position-of (line character)
  "The position of LINE and CHARACTER in this buffer, as agents count them."
  (save-restriction
    (widen)
    (save-excursion
      (goto-char (ide-companion--line-position line))
      (let ((units 1))
        (while (and (< units character) (not (eolp)))
          (setq units (+ units (if (> (char-after) #xffff) 2 1)))
          (forward-char)))
      (point))))

(defun ide-companion--visit (path)
  "The buffer of the file that agents call PATH; it asks no question."
  (or (ide-companion--buffer-of path)
      (let ((coding (or file-name-coding-system default-file-name-coding-system))
            (inhibit-interaction t))
        (find-file-noselect (if coding (ide-companion--recode path 'utf-8 coding) path) t))))

(defun ide-companion--short (label width)
  "The end of LABEL, a path for people, in WIDTH columns."
  (truncate-string-to-width (if (> (string-width label) width)
                                (concat "…" (substring label (- (length label) (1- width))))
                              label)
                            width))

(defun ide-companion--copy (text)
  "Copy TEXT for the user, and return where it is, for people."
  (kill-new text)
  (if (or (display-graphic-p) (terminal-parameter nil 'xterm--set-selection))
      "on the clipboard"
    "in the kill ring"))

(defun ide-companion--sentence (text answer)
  "TEXT of the program for people; what ANSWER has to be copied is copied."
  (let ((copy (plist-get answer :copy)))
    (if copy (string-replace "{place}" (ide-companion--copy copy) text) text)))

(defun ide-companion--existing-folder (path)
  "The nearest folder above PATH that exists."
  (let ((folder (file-name-directory path)))
    (while (not (or (file-directory-p folder) (equal folder "/")))
      (setq folder (file-name-directory (directory-file-name folder))))
    folder))

(defconst ide-companion--viewers
  '(image-mode doc-view-mode doc-view-mode-maybe tar-mode archive-mode)
  "Modes of Emacs for something else than a file's text.
Other ones are known once they are loaded.")

(defun ide-companion--viewer-p (mode)
  "Whether MODE is for something else than a file's text."
  (and (symbolp mode)
       (or (memq mode ide-companion--viewers)
           (eq 'special (get mode 'mode-class)))))

(defun ide-companion--set-text-mode (path)
  "Set the mode of the file PATH, unless it would not show the buffer's text.
A viewer may show the file on disk instead."
  (unless (ide-companion--viewer-p (assoc-default path auto-mode-alist #'string-match))
    (set-auto-mode))
  (when (ide-companion--viewer-p major-mode)
    (fundamental-mode)
    (remove-overlays)
    (with-silent-modifications
      (set-text-properties (point-min) (point-max) nil))
    (setq buffer-read-only nil)))

(defun ide-companion--set-mode (path)
  "Highlight the current buffer as the file PATH would be, with all of its text.
The mode's hooks do not run: what they start is meant for files."
  (let ((buffer-file-name path)
        (enable-local-variables nil)
        ;; What a text says about its start folds it, aligns its tables and runs programs.
        (org-inhibit-startup t))
    (delay-mode-hooks
      (ide-companion--guarded #'ide-companion--set-text-mode path)))
  ;; Targets of links are text to review, too.
  (setq-local buffer-invisibility-spec nil)
  (ide-companion--guarded #'font-lock-mode 1))

(defun ide-companion--show-direction-controls ()
  "Show characters that change the reading direction in the current buffer.
Emacs obeys such characters, and does not display them."
  (let ((table (copy-sequence glyphless-char-display)))
    (dolist (range '((#x202a . #x202e) (#x2066 . #x2069)))
      (set-char-table-range table range 'hex-code))
    (setq-local glyphless-char-display table)))

;;; Hunks

;; A hunk is a property list, as the program has it: :line and :added are its
;; lines here, :from and :removed those of what is on disk.

(defvar ide-companion--found-lines nil
  "Where a line was found last in each buffer: (LINE . POSITION) by buffer.
It is nil when texts may change.")

(defmacro ide-companion--with-found-lines (&rest body)
  "Evaluate BODY, and find each line in it from the one found before.
The texts stay as they are meanwhile."
  (declare (indent 0) (debug t))
  `(let ((ide-companion--found-lines (make-hash-table :test #'eq)))
     ,@body))

(defun ide-companion--line-position (line)
  "The position of LINE in the current buffer, or the end of the buffer."
  (save-restriction
    (widen)
    (save-excursion
      (pcase-let ((`(,from . ,position)
                   (or (and ide-companion--found-lines
                            (gethash (current-buffer) ide-companion--found-lines))
                       (cons 1 (point-min)))))
        (goto-char position)
        ;; The end of a last line without a newline begins no line.
        (when (and (zerop (forward-line (- line from))) (bolp) ide-companion--found-lines)
          (puthash (current-buffer) (cons line (point)) ide-companion--found-lines)))
      (point))))

(defun ide-companion--lines-region (start count)
  "The region of COUNT lines from the line START: (BEGIN . END)."
  (let ((begin (ide-companion--line-position start)))
    (cons begin (if (zerop count) begin (ide-companion--line-position (+ start count))))))

(defun ide-companion--replaced-text (buffer hunk)
  "The highlighted text in place of which HUNK is; BUFFER is what is on disk."
  (with-current-buffer buffer
    (save-restriction
      (widen)
      (pcase-let ((`(,begin . ,end)
                   (ide-companion--lines-region (plist-get hunk :from) (plist-get hunk :removed))))
        (ide-companion--guarded #'font-lock-ensure begin end)
        (buffer-substring begin end)))))

(defun ide-companion--hunk-region (hunk)
  "The region of HUNK in the current buffer: (BEGIN . END)."
  (ide-companion--lines-region (plist-get hunk :line) (plist-get hunk :added)))

(provide 'ide-companion-text)
;;; ide-companion-text.el ends here
