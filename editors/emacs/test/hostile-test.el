;;; hostile-test.el --- Repositories and agents that mean no good -*- lexical-binding: t; -*-

;;; Commentary:

;; What they name and write is shown, and neither run nor asked for elsewhere.

;;; Code:

(require 'fixture)
(require 'image-mode)
(require 'org)

(defvar ide-companion-test-ran nil "What a hostile text sets.")

(defconst ide-companion-test-variables
  "-*- mode: sh; eval: (setq ide-companion-test-ran t) -*-
# Local Variables:
# eval: (setq ide-companion-test-ran t)
# End:
" "A text that would run something in an Emacs that lets it.")

(ide-companion-deftest "what a proposal, and the folder of its file, say of variables is not done"
  (let ((enable-local-variables :all)
        (enable-local-eval t)
        (ide-companion-test-ran nil))
    (ide-companion-test-file ".dir-locals.el" "((nil . ((eval . (setq ide-companion-test-ran t)))))")
    (find-file (ide-companion-test-file "opened.js" ""))
    (should ide-companion-test-ran) ; where the user has let it
    (setq ide-companion-test-ran nil)
    (ide-companion-test-propose :filePath (expand-file-name "a.js" ide-companion-test-folder)
                                :original ide-companion-test-variables
                                :newContent (concat ide-companion-test-variables "more\n"))
    (ide-companion-next-proposal)
    (should (eq major-mode 'js-mode))
    (insert "edited")
    (ide-companion-reject)
    (ide-companion-test-settle)
    (should (get-buffer "*Your edits: main.js*"))
    (should-not ide-companion-test-ran)))

(ide-companion-deftest "a repository's variables cannot set options that run something"
  (let (lenient)
    (mapatoms (lambda (symbol)
                (when (and (custom-variable-p symbol)
                           (string-prefix-p "ide-companion-" (symbol-name symbol))
                           (not (risky-local-variable-p symbol)))
                  (push symbol lenient))))
    (should (equal (sort lenient #'string<)
                   '(ide-companion-diff-layout ide-companion-mode ide-companion-on-proposal)))))

(ide-companion-deftest "a picture that is text is proposed as text, not as the picture on disk"
  (let ((path (ide-companion-test-file "a.svg" "<svg>old</svg>\n")))
    (cl-letf (((symbol-function 'display-images-p) #'always)
              ((symbol-function 'image-type) (lambda (&rest _) 'svg))
              ((symbol-function 'image-flush) #'ignore)
              ((symbol-function 'create-image) (lambda (&rest _) '(image :type svg)))
              ((symbol-function 'image-size) (lambda (&rest _) '(1 . 1)))
              ((symbol-function 'image-multi-frame-p) #'ignore))
      (dolist (name (list path (file-name-sans-extension path))) ; Emacs knows it by the text, too
        (ide-companion-test-propose :filePath name :original "<svg>old</svg>\n" :newContent "<svg>new</svg>\n")
        (ide-companion-next-proposal)
        (should (equal (ide-companion-test-shown) "<svg>old</svg>\n<svg>new</svg>\n"))
        (should-not (get-char-property 1 'display))
        (ide-companion-test-keys "M-> mine C-c C-c")
        (should (equal (car (last (ide-companion-test-accepted))) "<svg>new</svg>\nmine"))))))

(define-derived-mode ide-companion-test-viewer-mode special-mode "Viewer"
  "Show something else than the text."
  (with-silent-modifications
    (put-text-property (point-min) (point-max) 'display "all is well"))
  (overlay-put (make-overlay (point-min) (point-max)) 'display "all is well"))

(ide-companion-deftest "a mode that shows something else than the text is not used"
  (let ((auto-mode-alist '(("\\.doc\\'" nil t) ("\\.view\\'" . ide-companion-test-viewer-mode))))
    (ide-companion-test-propose :filePath "/app/a.view.doc")
    (ide-companion-next-proposal)
    (should (equal (list major-mode buffer-read-only (get-char-property 1 'display)) '(fundamental-mode nil nil)))))

(ide-companion-deftest "a text that folds itself is seen whole, and no table of it is aligned"
  (let ((text "#+STARTUP: overview align\n* One\n| a|b |\n* Two\n[[https://example.org/][link]]\n"))
    (ide-companion-test-propose :filePath "/app/a.org" :original "* One\n" :newContent text)
    (ide-companion-next-proposal)
    (should (eq major-mode 'org-mode))
    (should (equal (ide-companion--get-text (current-buffer)) text))
    (font-lock-ensure)
    (should-not (cl-some #'invisible-p (number-sequence (point-min) (1- (point-max)))))))

(ide-companion-deftest "what turns the reading direction is seen in a proposal, and elsewhere as before"
  (let ((before (aref glyphless-char-display #x202e)))
    (ide-companion-test-propose :newContent "if admin\u202e; // \u2066\n")
    (ide-companion-next-proposal)
    (should (equal (mapcar (lambda (control) (aref glyphless-char-display control)) '(#x202e #x2066))
                   '(hex-code hex-code)))
    (ide-companion-reject)
    (ide-companion-test-settle)
    (should (equal (with-temp-buffer (aref glyphless-char-display #x202e)) before))))

(ide-companion-deftest "a path that looks like one on another machine connects nowhere"
  (let* ((path "/ssh:elsewhere:/app/main.js")
         (connected (expand-file-name "connected" ide-companion-test-folder))
         (ssh (ide-companion-test-file "bin/ssh" (format "#!/bin/sh\ntouch '%s'\n" connected)))
         (process-environment
          (cons (format "PATH=%s:%s" (file-name-directory ssh) (getenv "PATH")) process-environment)))
    (set-file-modes ssh #o755)
    (ide-companion-test-propose :filePath path)
    (ide-companion-next-proposal)
    (should (equal (list major-mode default-directory) '(js-mode "/:/")))
    (insert "edited")
    (ide-companion-reject)
    (ide-companion-test-settle)
    (ide-companion--save-text (ide-companion--local-name path) "main.js" "" "Rejected.")
    (ide-companion--open-file (list :path path))
    (should (equal (ide-companion--diagnostics (list :path path)) '(:diagnostics [])))
    (should-not (file-exists-p connected))))

(provide 'hostile-test)
;;; hostile-test.el ends here
