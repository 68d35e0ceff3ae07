;;; ide-companion-written.el --- Marks of what agents wrote  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; What agents wrote without asking is marked in the buffers of its files,
;; kept and reverted there.  The program says which lines it is, also in a
;; buffer with unsaved edits.

;;; Code:

(require 'ide-companion-diff)
(require 'ide-companion-log)
(require 'ide-companion-rpc)
(require 'ide-companion-text)

(defconst ide-companion--most-removed 12 "How many lines of a hunk that went are shown.")
(defconst ide-companion--mark-pause 0.15 "Seconds without an edit after which the marks follow.")

;; They outlast another mode, and a revert, which sets the mode again.
(defvar-local ide-companion--written nil
  "What is marked here, as `companion/writtenHunks' has it, or nil.")
(put 'ide-companion--written 'permanent-local t)
(defvar-local ide-companion--mark-timer nil)

(defun ide-companion--written-hunks (params)
  "`companion/writtenHunks' with PARAMS: mark the buffer of the file."
  (let ((buffer (ide-companion--buffer-of (ide-companion--local-name (plist-get params :filePath)))))
    (when buffer
      (with-current-buffer buffer
        (unless ide-companion--written
          (setq ide-companion--written params)
          (dolist (hook '(after-change-functions after-save-hook after-revert-hook))
            (add-hook hook #'ide-companion--mark-soon nil t))))
      (ide-companion--mark buffer))))

(defun ide-companion--mark-soon (&rest _)
  "Mark this buffer again after a pause of its user."
  (when (timerp ide-companion--mark-timer)
    (cancel-timer ide-companion--mark-timer))
  (setq ide-companion--mark-timer
        (run-with-timer ide-companion--mark-pause nil #'ide-companion--mark (current-buffer))))

(put 'ide-companion--mark-soon 'permanent-local-hook t)

(defun ide-companion--mark (buffer)
  "Mark BUFFER as its text is now."
  (when (and (buffer-live-p buffer) (ide-companion--ready-p))
    (with-current-buffer buffer
      (let ((tick (buffer-chars-modified-tick)))
        (ide-companion--ask :companion/placeHunks (ide-companion--buffer-params)
                            (lambda (placed _)
                              (when (and placed (buffer-live-p buffer))
                                (with-current-buffer buffer
                                  (when (= tick (buffer-chars-modified-tick))
                                    (ide-companion--draw-written placed))))))))))

(defun ide-companion--buffer-params ()
  "How the program knows this buffer: its file, and its text."
  (list :filePath (plist-get ide-companion--written :filePath)
        :content (ide-companion--get-text (current-buffer))))

(defun ide-companion--draw-written (placed)
  "Draw the hunks that the program has PLACED in this buffer."
  (setq ide-companion--written placed)
  (ide-companion--clear (current-buffer))
  (save-restriction
    (widen)
    (ide-companion--with-found-lines
      (mapc #'ide-companion--draw-mark (plist-get placed :hunks)))))

(defun ide-companion--draw-mark (hunk)
  "Draw HUNK into the current buffer."
  (pcase-let* ((removed (append (plist-get hunk :removed) nil))
               (more (- (length removed) ide-companion--most-removed))
               (shown (mapconcat (lambda (line) (concat line "\n"))
                                 (if (> more 0) (butlast removed more) removed) ""))
               (`(,begin . ,end) (ide-companion--hunk-region hunk)))
    (ide-companion--draw-change (if (> more 0) (format "%s… and %d more lines\n" shown more) shown) begin end)))

(defun ide-companion--written-line (hunk)
  "The line of HUNK of a list in this buffer, or nil when it is decided here."
  (let ((id (plist-get hunk :id)))
    (plist-get (if ide-companion--written
                   (seq-find (lambda (one) (equal (plist-get one :id) id))
                             (plist-get (ide-companion--fetch :companion/placeHunks (ide-companion--buffer-params))
                                        :hunks))
                 hunk)
               :line)))

(defun ide-companion--go-to-written (by line)
  "Go to the next change behind LINE, or with -1 for BY to the one before it."
  (let* ((here (if ide-companion--written (ide-companion--buffer-params)
                 (list :filePath (if buffer-file-name (ide-companion--file-name buffer-file-name) ""))))
         (next (ide-companion--fetch :companion/nextWritten (append here (list :line line :by by))))
         (path (plist-get next :filePath))
         (first (plist-get (plist-get next :lines) :first)))
    (cond
     ((null path) (ide-companion--say "Nothing else that an agent wrote waits for you"))
     ((equal path (plist-get here :filePath))
      (push-mark nil t)
      (ide-companion--draw-written next))
     (t
      (switch-to-buffer (ide-companion--visit path))
      (ide-companion--written-hunks next)))
    (when first
      (goto-char (ide-companion--line-position first)))))

;;;###autoload
(defun ide-companion-next-written (&optional count)
  "Go to the next change that an agent wrote without asking, also in another file.
With a COUNT below 0 go to the one before."
  (interactive "p")
  (ide-companion--go-to-written (if (< (or count 1) 0) -1 1) (line-number-at-pos (point) t)))

;;;###autoload
(defun ide-companion-previous-written ()
  "Go to the previous change that an agent wrote without asking."
  (interactive)
  (ide-companion-next-written -1))

(defun ide-companion--decide-written (action begin end)
  "Do ACTION with the hunks in the lines from BEGIN to END, and go on."
  (let* ((first (line-number-at-pos begin t))
         (last (max first (line-number-at-pos (if (> end begin) (1- end) end) t)))
         (answer (and ide-companion--written
                      (ide-companion--fetch
                       :companion/decideHunks
                       (append (ide-companion--buffer-params)
                               (list :revision (plist-get ide-companion--written :revision)
                                     :lines (list :first first :last last)
                                     :action action)))))
         (content (plist-get answer :content)))
    (when content
      (ide-companion--replace-contents (current-buffer) content))
    (deactivate-mark)
    (ide-companion--go-to-written 1 (or (plist-get answer :line) last))))

(defun ide-companion--lines-here ()
  "The region, or else point: (BEGIN END)."
  (if (use-region-p) (list (region-beginning) (region-end)) (list (point) (point))))

;;;###autoload
(defun ide-companion-keep-written (begin end)
  "Keep what an agent wrote at point, or from BEGIN to END, and go on."
  (interactive (ide-companion--lines-here))
  (ide-companion--decide-written "keep" begin end))

;;;###autoload
(defun ide-companion-revert-written (begin end)
  "Revert what an agent wrote at point, or from BEGIN to END, and go on.
That is an unsaved change of the buffer."
  (interactive (ide-companion--lines-here))
  (ide-companion--decide-written "revert" begin end))

(provide 'ide-companion-written)
;;; ide-companion-written.el ends here
